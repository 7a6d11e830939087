import { pluralise } from '@scriptorium/contracts/pluralise';
import type { PolicyAction, PolicyRule } from '@scriptorium/contracts/rules';
import type { ImpactContext, ImpactRecord } from '@scriptorium/contracts/wire/policy-decisions';
import { useState } from 'preact/hooks';
import type { ApiRequest } from '../../../api/request.ts';
import { useNames } from '../../../kit/names.ts';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { Loading } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';
import { actionNames } from '../rules/descriptions.ts';
import { conditionOf, type RequestCondition, RequestTrial } from './request-trial.tsx';

/**
 * Shows how many of the existing objects a policy would deny. If that depends on the request, an
 * address or a time can be tried.
 */
export function ImpactSummary(props: {
  impact: ImpactRecord;
  rules: readonly PolicyRule[];
  /** Counts the requests from an address or at a time; without it, none can be tried. */
  requestIn?: (context: ImpactContext) => ApiRequest<ImpactRecord>;
}) {
  const { impact, rules, requestIn } = props;
  const [tried, setTried] = useState<{ label: string; impact: ImpactRecord } | null>(null);
  const condition = conditionOf(rules);
  return (
    <div class="stack">
      {condition && (
        <>
          <p>
            What this policy denies depends on the {condition} of the request.
            {requestIn && ' Try one to count the objects.'}
          </p>
          {requestIn && (
            <RequestTrial condition={condition} requestIn={requestIn} onResult={setTried} />
          )}
        </>
      )}
      {tried && <p>{tried.label}:</p>}
      <Counts
        key={tried?.label}
        impact={tried?.impact ?? impact}
        regardlessOf={tried ? null : condition}
      />
      <p class="soft">
        Counted as if this were the only policy, and enforced. Downloads are assumed to use an API
        key.
      </p>
    </div>
  );
}

/** The denied objects; with a condition, only those that are denied whatever it is. */
function Counts(props: { impact: ImpactRecord; regardlessOf: RequestCondition | null }) {
  const { impact, regardlessOf } = props;
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
    <>
      {deniedActions.length > 0 ? (
        <>
          <p>
            {regardlessOf && `Whatever the ${regardlessOf}: `}Of {examinedText}, this policy denies:
          </p>
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
      ) : (
        !regardlessOf && <p>Of {examinedText}, this policy denies none.</p>
      )}
      {undecidedActions.map(({ action, pending }) => (
        <p key={action}>
          {actionNouns[action]} of {pluralise(pending, 'object')} is undecided: required properties
          are not known yet.
        </p>
      ))}
    </>
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
