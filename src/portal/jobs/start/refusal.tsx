import type { ApiProblem } from '../../api/request.ts';
import { ProblemNotice } from '../../kit/states.tsx';

interface Violation {
  policy_id: string;
  detail: string;
  remedy: { method: string; path: string; body: unknown } | null;
}

/** Why a job was not started; of a policy's refusal also what would help. */
export function Refusal({ problem }: { problem: ApiProblem | undefined }) {
  if (problem?.code !== 'policy_denied') return <ProblemNotice problem={problem} />;
  return (
    <div class="notice bad stack" role="alert">
      <p>
        <strong>A policy does not allow this.</strong>
      </p>
      <ul>
        {violationsOf(problem).map((violation, at) => (
          <li key={at}>
            {violation.detail} <span class="mono soft">{violation.policy_id}</span>
            {violation.remedy && (
              <p>
                What would help:{' '}
                <code>
                  {violation.remedy.method} {violation.remedy.path}{' '}
                  {JSON.stringify(violation.remedy.body)}
                </code>
              </p>
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
