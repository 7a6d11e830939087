import { isRecord } from './json-rpc.ts';
import { maxResultCharacters } from './tools.ts';

/** What was wrong, for a model: the detail of the problem and its faults. */
export function describeProblem(status: number, bytes: Buffer): string {
  let problem: unknown;
  try {
    problem = JSON.parse(bytes.toString('utf8'));
  } catch {
    return `The request failed with the status ${status}.`;
  }
  if (!isRecord(problem)) return `The request failed with the status ${status}.`;
  const { code, detail, errors, retryable } = problem;
  const faults = Array.isArray(errors) ? errors.filter(isRecord).slice(0, 20) : [];
  const body = {
    error: code,
    detail,
    ...(faults.length > 0 ? { errors: faults } : {}),
    retryable,
  };
  return JSON.stringify(body).slice(0, maxResultCharacters);
}
