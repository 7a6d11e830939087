/**
 * A problem that a person must fix before the service can start: one sentence with what is wrong,
 * the value, and what to do. Scripts print the message alone, without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
