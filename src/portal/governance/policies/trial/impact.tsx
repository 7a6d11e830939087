import { pluralise } from '../../../../contracts/pluralise.ts';
import type { PolicyAction } from '../../../../contracts/rules.ts';
import type { ImpactRecord } from '../../../../contracts/wire/policy-decisions.ts';
import { useName } from '../../../kit/names.ts';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { actionNames } from '../rules/words.ts';

/** What a policy denies among the existing objects, in words. */
export function ImpactWords({ impact }: { impact: ImpactRecord }) {
  const found = actionNames.flatMap((action) => {
    const count = impact.actions[action];
    return count ? [{ action, ...count }] : [];
  });
  const denying = found.filter(({ denied }) => denied > 0);
  const pending = found.filter(({ pending }) => pending > 0);
  const examined = `${impact.complete ? '' : 'the newest '}${pluralise(impact.examined, 'available object')}`;
  return (
    <div class="stack">
      {denying.length === 0 ? (
        <p>Of {examined}, this policy denies none.</p>
      ) : (
        <>
          <p>Of {examined}, this policy denies:</p>
          <ul class="policy-impact">
            {denying.map(({ action, denied, examples }) => (
              <li key={action}>
                <strong>
                  {nouns[action]} of {pluralise(denied, 'object')}
                </strong>
                , for example{' '}
                {examples.map((id, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <Example id={id} />
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
      {pending.map(({ action, pending }) => (
        <p key={action}>
          {nouns[action]} of {pluralise(pending, 'object')} is undecided: required properties are
          not known yet.
        </p>
      ))}
      <p class="soft">
        Counted as if this were the only policy, and enforced. Rules about addresses and times are
        ignored, and downloads are assumed to use an API key.
      </p>
    </div>
  );
}

/** An object by its name, in a line of text. */
function Example({ id }: { id: string }) {
  const name = useName(id);
  return (
    <ResourceLink id={id}>
      {name === undefined ? <span class="skeleton named-skeleton" /> : name && <bdi>{name}</bdi>}
    </ResourceLink>
  );
}

const nouns: Record<PolicyAction, string> = {
  upload: 'Upload',
  read: 'Reading',
  download: 'Download',
  sign: 'Signing',
  process: 'Processing',
  delete: 'Deletion',
};
