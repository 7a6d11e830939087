/** Why a document engine failed. Stable: callers store and show these codes. */
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

/** A retry can help only if the machine, not the document, was at fault. */
const retryableCodes: ReadonlySet<EngineErrorCode> = new Set([
  'deadline_exceeded',
  'crashed',
  'machine_fault',
]);

/**
 * A failure of a document engine. Customers see the message, so it contains no path, stack or text
 * of the document. `retryable`: the same call may succeed later.
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

/** Failures that are unrelated to the file: the work is retried, however often it has failed. */
const notOfTheFile: ReadonlySet<EngineErrorCode> = new Set(['cancelled', 'machine_fault']);

/**
 * Returns the error to show if the file itself is at fault or this was the last attempt; null if
 * the machine was at fault or the failure is temporary, and the work should be retried.
 */
export function finalFailure(
  error: unknown,
  lastRun: boolean,
): { code: EngineErrorCode; message: string; retryable: boolean } | null {
  if (!(error instanceof EngineError) || notOfTheFile.has(error.code)) return null;
  if (error.retryable && !lastRun) return null;
  return { code: error.code, message: error.message, retryable: error.retryable };
}

/** Whether `value` is an engine error code; for messages from a child. */
export function isEngineErrorCode(value: unknown): value is EngineErrorCode {
  return engineErrorCodes.some((code) => code === value);
}

/** Codes of system calls that failed because the machine lacks space or is unhealthy. */
const machineCodes: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EIO',
  'EROFS',
]);

/** Whether a system call failed because of the machine, not of a document. */
export function isMachineCode(code: unknown): boolean {
  return machineCodes.has(code);
}

/** Whether an error is from such a call. */
export function isMachineError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && isMachineCode(error.code);
}
