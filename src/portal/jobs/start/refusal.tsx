import { Link } from 'wouter-preact';
import type { Violation } from '../../../contracts/wire/policies.ts';
import type { ApiProblem } from '../../api/request.ts';
import { RemedyLine } from '../../kit/remedy.tsx';
import { ProblemNotice } from '../../kit/states.tsx';

/** Why a job was not started; of a policy's refusal also what would help. */
export function Refusal({ problem }: { problem: ApiProblem | undefined }) {
  if (problem?.code !== 'policy_denied') return <ProblemNotice problem={problem} />;
  return (
    <div class="notice bad stack" role="alert">
      <p>
        <strong>A policy does not allow this.</strong>
      </p>
      <ul class="jobs-refusal">
        {violationsOf(problem).map(({ policy_id: id, detail, remedy }, at) => (
          <li key={at}>
            {detail} This is what <Link href={`~/portal/policies/${id}`}>{id}</Link> says.
            {remedy ? (
              <RemedyLine remedy={remedy} />
            ) : (
              <p>What helps: another object, or a change of the policy by whoever manages it.</p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function violationsOf(problem: ApiProblem): Violation[] {
  const { violations } = problem.document;
  // Of the schema of `policy_denied`; what is not of it is left out.
  return Array.isArray(violations)
    ? violations.filter((one): one is Violation => typeof one?.detail === 'string')
    : [];
}
