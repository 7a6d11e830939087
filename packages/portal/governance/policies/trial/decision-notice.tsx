import type { Evaluation } from '@scriptorium/contracts/wire/policy-decisions';
import { useMemo } from 'preact/hooks';
import { useResource } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { RemedyLine } from '../../../kit/remedy.tsx';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { describeObligation, ruleTitles } from '../rules/descriptions.ts';

const outcomeLabels = {
  allow: ['good', 'Allowed'],
  deny: ['bad', 'Denied'],
  pending: ['warn', 'Undecided: the request would start, and be decided during processing.'],
} as const;

/** The decision of the policies, the reasons, and how to comply. */
export function DecisionNotice({ decision }: { decision: Evaluation }) {
  const { data } = useResource(requestFor('listPolicies', { limit: 200 }));
  const names = useMemo(
    () => new Map((data?.data ?? []).map(({ id, name }) => [id, name])),
    [data],
  );
  const [tone, label] = outcomeLabels[decision.decision];
  return (
    <div class={`notice ${tone} stack`} role="status">
      <p>
        <strong>{label}</strong>
      </p>
      <Violations violations={decision.violations} names={names} />
      {decision.obligations.length > 0 && (
        <ul>
          {decision.obligations.map((obligation, at) => (
            <li key={at}>{describeObligation(obligation)}</li>
          ))}
        </ul>
      )}
      {decision.denials_observed.length > 0 && (
        <>
          <p>Denials that policies in audit mode would record:</p>
          <Violations violations={decision.denials_observed} names={names} />
        </>
      )}
    </div>
  );
}

function Violations(props: {
  violations: Evaluation['violations'];
  names: ReadonlyMap<string, string>;
}) {
  if (props.violations.length === 0) return null;
  return (
    <ul class="policy-violations">
      {props.violations.map(({ policy_id: id, rule_type, detail, remedy }, at) =>
        id === null ? (
          <li key={at}>{detail}</li>
        ) : (
          <li key={at}>
            {id.startsWith('pol_') ? (
              <ResourceLink id={id}>
                <bdi>{props.names.get(id) ?? id}</bdi>
              </ResourceLink>
            ) : (
              <strong>This draft</strong>
            )}
            , {ruleTitles[rule_type].toLowerCase()}: {detail}
            {remedy && <RemedyLine remedy={remedy} />}
          </li>
        ),
      )}
    </ul>
  );
}
