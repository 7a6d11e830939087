import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PolicyAction } from '@scriptorium/contracts/rules';
import type { ImpactRecord } from '@scriptorium/contracts/wire/policy-decisions';
import { useNames } from '../../../kit/names.ts';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { Loading } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';
import { actionNames } from '../rules/descriptions.ts';

/** Shows how many of the existing objects a policy would deny. */
export function ImpactSummary({ impact }: { impact: ImpactRecord }) {
  const affectedActions = actionNames.flatMap((action) => {
    const count = impact.actions[action];
    return count ? [{ action, ...count }] : [];
  });
  const deniedActions = affectedActions.filter(({ denied }) => denied > 0);
  const undecidedActions = affectedActions.filter(({ pending }) => pending > 0);
  const { can } = useSession();
  const examples = can('objects:read') ? deniedActions.flatMap((one) => one.examples) : [];
  const names = useNames(examples);
  // Shown all at once: lines whose names load one by one would move the content below.
  if (examples.some((id) => !names.has(id))) return <Loading what="impact" lines={3} />;
  const examinedText = `${impact.complete ? '' : 'the newest '}${pluralise(impact.examined, 'available object')}`;
  return (
    <div class="stack">
      {deniedActions.length === 0 ? (
        <p>Of {examinedText}, this policy denies none.</p>
      ) : (
        <>
          <p>Of {examinedText}, this policy denies:</p>
          <ul class="policy-impact">
            {deniedActions.map(({ action, denied, examples }) => (
              <li key={action}>
                <strong>
                  {actionNouns[action]} of {pluralise(denied, 'object')}
                </strong>
                , for example{' '}
                {examples.map((id, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <ResourceLink id={id}>
                      {names.get(id) && <bdi>{names.get(id)}</bdi>}
                    </ResourceLink>
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
      {undecidedActions.map(({ action, pending }) => (
        <p key={action}>
          {actionNouns[action]} of {pluralise(pending, 'object')} is undecided: required properties
          are not known yet.
        </p>
      ))}
      <p class="soft">
        Counted as if this were the only policy, and enforced. Rules about addresses and times are
        ignored, and downloads are assumed to use an API key.
      </p>
    </div>
  );
}

const actionNouns: Record<PolicyAction, string> = {
  upload: 'Upload',
  read: 'Reading',
  download: 'Download',
  sign: 'Signing',
  process: 'Processing',
  delete: 'Deletion',
};
