/**
 * A problem that a person must fix before the service can start: one sentence with the problem, the
 * value, and the remedy. Scripts print the message alone, without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
