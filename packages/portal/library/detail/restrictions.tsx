import type { Evaluation, Violation } from '@scriptorium/contracts/wire/policy-decisions';
import { Link } from 'wouter-preact';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { RemedyLine } from '../../kit/remedy.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { actions, type Decisions } from './decisions.ts';

/** The decisions of policies for this object, their reasons, and how to comply. */
export function Restrictions({ objectId, decisions }: { objectId: string; decisions: Decisions }) {
  const policies = useAnswer(requestFor('listPolicies', { limit: 200 }));
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
      {!decisions.of && !decisions.problem && <Loading what="restrictions" lines={3} />}
      {decisions.of && <ActionDecisions of={decisions.of} nameOf={nameOf} />}
    </section>
  );
}

/** Lists restricted actions first, each with its reasons, and allowed ones in a single line. */
function ActionDecisions(props: {
  of: NonNullable<Decisions['of']>;
  nameOf: (id: string) => string;
}) {
  const { of, nameOf } = props;
  const decided = actions.flatMap(([action, words]) => {
    const decision = of.get(action);
    return decision ? [{ words, decision }] : [];
  });
  const restricted = decided.filter(({ decision }) => !isPlainlyAllowed(decision));
  const allowed = decided.filter(({ decision }) => isPlainlyAllowed(decision));
  restricted.sort((a, b) => rank[a.decision.decision] - rank[b.decision.decision]);
  return (
    <>
      {restricted.length > 0 && (
        <ul class="detail-decisions">
          {restricted.map(({ words, decision }) => (
            <ActionDecision key={words} words={words} decision={decision} nameOf={nameOf} />
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

const isPlainlyAllowed = (one: Evaluation): boolean =>
  one.decision === 'allow' && one.obligations.length === 0 && one.denials_observed.length === 0;

const outcomes = {
  allow: { text: 'Allowed', tone: '' },
  deny: { text: 'Denied', tone: 'bad' },
  pending: { text: 'Decided during processing', tone: 'warn' },
} as const;

function ActionDecision(props: {
  words: string;
  decision: Evaluation;
  nameOf: (id: string) => string;
}) {
  const { words, decision, nameOf } = props;
  const { text, tone } = outcomes[decision.decision];
  return (
    <li>
      <div class="row">
        <strong>{words}</strong>
        <span class={`badge ${tone}`}>{text}</span>
      </div>
      {decision.obligations.map((duty, at) => (
        <p key={at}>
          {duty.type === 'strip_metadata' ? (
            duty.fields.includes('all') ? (
              'All metadata is removed from the delivered file.'
            ) : (
              'The location is removed from the delivered file.'
            )
          ) : (
            <>
              The <Link href={`/objects/${duty.object_id}`}>redacted version</Link> is delivered
              instead.
            </>
          )}
        </p>
      ))}
      {decision.violations.map((one, at) =>
        one.policy_id === null ? (
          <p key={at}>{one.detail}</p>
        ) : (
          <ViolationDetail key={at} violation={one} name={nameOf(one.policy_id)} />
        ),
      )}
      {decision.denials_observed.map((one, at) => (
        <p key={at} class="soft">
          In audit mode: <PolicyLink id={one.policy_id} name={nameOf(one.policy_id)} /> would deny
          this. {one.detail}
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
