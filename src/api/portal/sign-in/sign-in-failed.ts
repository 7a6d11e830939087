import { Problem } from '@scriptorium/contracts/problems';

/** Returns the problem of a sign-in that could not be completed. */
export function signInFailed(detail: string): Problem {
  return new Problem('sign_in_failed', `${detail} Start again.`);
}
