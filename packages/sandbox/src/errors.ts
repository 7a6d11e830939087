/**
 * The reasons for which a document engine fails. The codes are stable, because callers store and
 * show them.
 */
export const engineErrorCodes = [
  'deadline_exceeded',
  'memory_exceeded',
  'crashed',
  'machine_fault',
  'cancelled',
  'encrypted',
  'damaged',
  'unsupported',
  'too_large',
  'too_many_pixels',
  'empty',
  'page_not_found',
  'language_unavailable',
  'invalid_argument',
] as const;

export type EngineErrorCode = (typeof engineErrorCodes)[number];

/**
 * The codes for which a retry may succeed, because the machine may be at fault and not the
 * document.
 */
const retryableCodes: ReadonlySet<EngineErrorCode> = new Set([
  'deadline_exceeded',
  'crashed',
  'machine_fault',
]);

/**
 * A failure of a document engine. Clients see the message, so it must not contain paths, stack
 * traces or text of the document. If `retryable` is true, the same call may succeed later.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  readonly retryable: boolean;

  constructor(code: EngineErrorCode, message: string) {
    super(message);
    this.code = code;
    this.retryable = retryableCodes.has(code);
  }
}

/**
 * Failures that are unrelated to the file. The work is always retried, regardless of the number of
 * failures.
 */
const unrelatedToFile: ReadonlySet<EngineErrorCode> = new Set(['cancelled', 'machine_fault']);

/**
 * Returns the error to show if the file is at fault or this was the last attempt. Returns null if
 * the machine is at fault or the failure is temporary: the work is then retried.
 */
export function finalFailure(
  error: unknown,
  isLastAttempt: boolean,
): { code: EngineErrorCode; message: string; retryable: boolean } | null {
  if (!(error instanceof EngineError) || unrelatedToFile.has(error.code)) return null;
  if (error.retryable && !isLastAttempt) return null;
  return { code: error.code, message: error.message, retryable: error.retryable };
}

/** Whether `value` is the code of an engine error. For messages from children. */
export function isEngineErrorCode(value: unknown): value is EngineErrorCode {
  return engineErrorCodes.some((code) => code === value);
}

/** Error codes of system calls that fail because the machine is out of resources or faulty. */
const machineCodes: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EIO',
  'EROFS',
]);

/** Whether a system call failed because of the machine and not because of a document. */
export function isMachineCode(code: unknown): boolean {
  return machineCodes.has(code);
}

/** Whether an error comes from such a system call. */
export function isMachineError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && isMachineCode(error.code);
}
