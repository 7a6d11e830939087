import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobBatchResults } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { Violation } from '@scriptorium/contracts/wire/policy-decisions';
import { Link } from 'wouter-preact';
import type { ApiProblem } from '../../api/request.ts';
import { RemedyLine } from '../../kit/remedy.tsx';
import { ProblemNotice } from '../../kit/states.tsx';

/** The outcome of a batch, per object. */
export function BatchOutcome(props: {
  outcome: JobBatchResults;
  objectsById: Readonly<Record<string, ObjectRecord>>;
}) {
  const { outcome, objectsById } = props;
  return (
    <section class={`notice ${outcome.failed > 0 ? 'warn' : 'good'}`} role="status">
      <p>
        {outcome.created} of {pluralise(outcome.results.length, 'job')} started
      </p>
      <ul>
        {outcome.results.map(({ source_object_id: id, job, problem }) => (
          <li key={id}>
            <bdi>{objectsById[id]?.filename ?? id}</bdi>:{' '}
            {job ? <Link href={`/${job.id}`}>{job.id}</Link> : problem?.detail}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why a job could not be started, with the remedy if a policy denied it. */
export function StartProblem({ problem }: { problem: ApiProblem | undefined }) {
  if (problem?.code !== 'policy_denied') return <ProblemNotice problem={problem} />;
  return (
    <div class="notice bad stack" role="alert">
      <p>
        <strong>Denied by a policy</strong>
      </p>
      <ul class="jobs-refusal">
        {violationsOf(problem).map(({ policy_id: id, detail, remedy }, at) => (
          <li key={at}>
            {detail} (Policy: <Link href={`~/portal/policies/${id}`}>{id}</Link>)
            {remedy ? (
              <RemedyLine remedy={remedy} />
            ) : (
              <p>Choose another object, or ask your administrator to change the policy.</p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function violationsOf(problem: ApiProblem): Violation[] {
  const { violations } = problem.document;
  // As in the schema of `policy_denied`; other fields are ignored.
  return Array.isArray(violations)
    ? violations.filter((one): one is Violation => typeof one?.detail === 'string')
    : [];
}
