import { Link } from 'wouter-preact';
import type { Evaluation, Violation } from '../../../contracts/wire/policies.ts';
import { useAnswer } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { RemedyLine } from '../../kit/remedy.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { actions, type Decisions } from './decisions.ts';
import { evaluate, listPolicies } from './requests.ts';

/** What the policies of the project say of this object, in words, and what would change it. */
export function Restrictions({ objectId, decisions }: { objectId: string; decisions: Decisions }) {
  const policies = useAnswer(listPolicies());
  const nameOf = (id: string): string =>
    policies.data?.data.find((policy) => policy.id === id)?.name ?? id;
  return (
    <section class="card stack" aria-labelledby="detail-restrictions">
      <div class="row">
        <h2 id="detail-restrictions">Restrictions</h2>
        <ApiCalls
          calls={actions.map(([action, words]) => [words, evaluate(objectId, action)] as const)}
        />
      </div>
      <ProblemNotice problem={decisions.problem} />
      {!decisions.of && !decisions.problem && <Loading what="the restrictions" lines={3} />}
      {decisions.of && (
        <ul class="detail-list">
          {actions.map(([action, words]) => {
            const decision = decisions.of?.get(action);
            return (
              decision && <Said key={action} words={words} decision={decision} nameOf={nameOf} />
            );
          })}
        </ul>
      )}
    </section>
  );
}

const said = {
  allow: 'is allowed',
  deny: 'is refused',
  pending: 'is decided once more is known',
} as const;

function Said(props: { words: string; decision: Evaluation; nameOf: (id: string) => string }) {
  const { words, decision, nameOf } = props;
  return (
    <li class={`detail-decision ${decision.decision}`}>
      <strong>
        {words} {said[decision.decision]}.
      </strong>
      {decision.obligations.map((duty, at) => (
        <p key={at}>
          {duty.type === 'strip_metadata' ? (
            duty.fields.includes('all') ? (
              'What is delivered says nothing about the picture: all its metadata is taken out.'
            ) : (
              'What is delivered does not say where it was taken.'
            )
          ) : (
            <>
              In its place its <Link href={`/objects/${duty.object_id}`}>redacted version</Link> is
              delivered.
            </>
          )}
        </p>
      ))}
      {decision.violations.map((one, at) =>
        one.policy_id === null ? (
          <p key={at}>{one.detail}</p>
        ) : (
          <Why key={at} violation={one} name={nameOf(one.policy_id)} />
        ),
      )}
      {decision.denials_observed.map((one, at) => (
        <p key={at} class="soft">
          Only observed, not enforced:{' '}
          <PolicyLink id={one.policy_id} name={nameOf(one.policy_id)} /> would refuse it.{' '}
          {one.detail}
        </p>
      ))}
    </li>
  );
}

function Why({ violation, name }: { violation: Violation; name: string }) {
  const { policy_id: id, detail, remedy } = violation;
  return (
    <div>
      <p>
        {detail} This is what the policy <PolicyLink id={id} name={name} /> says.
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
