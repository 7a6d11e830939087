import { EngineError, isEngineErrorCode, isMachineCode } from '../errors.ts';

export function cancelledError(): EngineError {
  return new EngineError('cancelled', 'The work was cancelled.');
}

export function crashedError(): EngineError {
  return new EngineError('crashed', 'The engine failed on this file.');
}

/** Returns the error of a task whose files could not be copied or measured. */
export function packingError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return isMachineCode(code)
    ? new EngineError('machine_fault', `The machine failed to do the work (${code}).`)
    : crashedError();
}

export function notStartedError(): EngineError {
  return new EngineError('machine_fault', 'The engine did not start.');
}

/**
 * Returns the value or error in a child's answer. The answer is untrusted, because a hostile file
 * may control the child.
 */
export function readAnswer(message: object): { value: unknown } | EngineError {
  if ('value' in message) return { value: message.value };
  const code = 'code' in message && isEngineErrorCode(message.code) ? message.code : 'crashed';
  const text = 'message' in message && typeof message.message === 'string' ? message.message : '';
  // Only the parent cancels tasks.
  if (code === 'cancelled' || text === '' || text.length > 500 || /\p{Cc}/u.test(text)) {
    return crashedError();
  }
  return new EngineError(code, text);
}
