import type { Evaluation, Violation } from '@scriptorium/contracts/wire/policy-decisions';
import { Link } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { RemedyLine } from '../../kit/remedy.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { actions, type Decisions } from './decisions.ts';

/** The policy decisions for an object, with their reasons and how to comply. */
export function Restrictions({ objectId, decisions }: { objectId: string; decisions: Decisions }) {
  const policies = useResource(requestFor('listPolicies', { limit: 200 }));
  const nameOf = (id: string): string =>
    policies.data?.data.find((policy) => policy.id === id)?.name ?? id;
  return (
    <section class="card stack" aria-labelledby="detail-restrictions">
      <div class="row">
        <h2 id="detail-restrictions">Restrictions</h2>
        <ApiCalls
          calls={actions.map(
            ([action, words]) =>
              [
                words,
                requestFor('evaluatePolicies', {
                  body: { action, resource: { type: 'object', id: objectId } },
                }),
              ] as const,
          )}
        />
      </div>
      <ProblemNotice problem={decisions.problem} />
      {!decisions.byAction && !decisions.problem && <Loading what="restrictions" lines={3} />}
      {decisions.byAction && <ActionDecisions byAction={decisions.byAction} nameOf={nameOf} />}
    </section>
  );
}

/** Lists the restricted actions, each with its reasons, then the allowed ones in a single line. */
function ActionDecisions(props: {
  byAction: NonNullable<Decisions['byAction']>;
  nameOf: (id: string) => string;
}) {
  const { byAction, nameOf } = props;
  const entries = actions.flatMap(([action, words]) => {
    const decision = byAction.get(action);
    return decision ? [{ words, decision }] : [];
  });
  const restricted = entries.filter(({ decision }) => !isUnrestricted(decision));
  const allowed = entries.filter(({ decision }) => isUnrestricted(decision));
  restricted.sort((a, b) => rank[a.decision.decision] - rank[b.decision.decision]);
  return (
    <>
      {restricted.length > 0 && (
        <ul class="detail-decisions">
          {restricted.map(({ words, decision }) => (
            <ActionDecision key={words} label={words} decision={decision} nameOf={nameOf} />
          ))}
        </ul>
      )}
      {allowed.length > 0 && (
        <p class="soft">
          {restricted.length === 0
            ? 'No policy restricts this object.'
            : `Allowed: ${allowed.map(({ words }) => words).join(' · ')}`}
        </p>
      )}
    </>
  );
}

const rank = { deny: 0, pending: 1, allow: 2 } as const;

const isUnrestricted = (evaluation: Evaluation): boolean =>
  evaluation.decision === 'allow' &&
  evaluation.obligations.length === 0 &&
  evaluation.denials_observed.length === 0;

const outcomes = {
  allow: { text: 'Allowed', tone: '' },
  deny: { text: 'Denied', tone: 'bad' },
  pending: { text: 'Decided during processing', tone: 'warn' },
} as const;

function ActionDecision(props: {
  label: string;
  decision: Evaluation;
  nameOf: (id: string) => string;
}) {
  const { label, decision, nameOf } = props;
  const { text, tone } = outcomes[decision.decision];
  return (
    <li>
      <div class="row">
        <strong>{label}</strong>
        <span class={`badge ${tone}`}>{text}</span>
      </div>
      {decision.obligations.map((obligation, at) => (
        <p key={at}>
          {obligation.type === 'strip_metadata' ? (
            obligation.fields.includes('all') ? (
              'All metadata is removed from the delivered file.'
            ) : (
              'The location is removed from the delivered file.'
            )
          ) : obligation.type === 'external' ? (
            'An external recogniser may read the text during redaction.'
          ) : (
            <>
              The <Link href={`/objects/${obligation.object_id}`}>redacted version</Link> is
              delivered instead.
            </>
          )}
        </p>
      ))}
      {decision.violations.map((violation, at) =>
        violation.policy_id === null ? (
          <p key={at}>{violation.detail}</p>
        ) : (
          <ViolationDetail key={at} violation={violation} name={nameOf(violation.policy_id)} />
        ),
      )}
      {decision.denials_observed.map((denial, at) => (
        <p key={at} class="soft">
          In audit mode: <PolicyLink id={denial.policy_id} name={nameOf(denial.policy_id)} /> would
          deny this. {denial.detail}
        </p>
      ))}
    </li>
  );
}

function ViolationDetail({ violation, name }: { violation: Violation; name: string }) {
  const { policy_id: id, detail, remedy } = violation;
  return (
    <div>
      <p>
        {detail} (Policy: <PolicyLink id={id} name={name} />)
      </p>
      {remedy && <RemedyLine remedy={remedy} />}
    </div>
  );
}

function PolicyLink({ id, name }: { id: string; name: string }) {
  return (
    <Link href={`~/portal/policies/${id}`} dir="auto">
      {name}
    </Link>
  );
}
