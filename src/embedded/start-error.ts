/**
 * Something a person has to put right before the service can start: one sentence that says what
 * is wrong, with which value, and what to do. Scripts print the message alone, without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
