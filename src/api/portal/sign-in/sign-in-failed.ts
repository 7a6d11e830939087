import { Problem } from '@scriptorium/contracts/problems';

/** The sign-in could not be completed. */
export function signInFailed(detail: string): Problem {
  return new Problem('sign_in_failed', `${detail} Start again.`);
}
