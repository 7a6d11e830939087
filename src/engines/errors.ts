/** Why a document engine gave up. Stable: callers store and show these codes. */
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

/** Trying again can help only where the machine, not the document, was at fault. */
const retryableCodes: ReadonlySet<EngineErrorCode> = new Set([
  'deadline_exceeded',
  'crashed',
  'machine_fault',
]);

/**
 * A failure of a document engine, told to the customer: the message holds no path, no stack and
 * nothing read from the document. `retryable` says whether the same call may succeed later.
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

/** Failures that say nothing of the file: the work is tried again, whatever number it is. */
const notOfTheFile: ReadonlySet<EngineErrorCode> = new Set(['cancelled', 'machine_fault']);

/**
 * What to tell the customer about a failure of the file itself, or of the last try at it; null when
 * it was the machine's, or may pass, and the work should be tried again.
 */
export function finalFailure(
  error: unknown,
  lastRun: boolean,
): { code: EngineErrorCode; message: string; retryable: boolean } | null {
  if (!(error instanceof EngineError) || notOfTheFile.has(error.code)) return null;
  if (error.retryable && !lastRun) return null;
  return { code: error.code, message: error.message, retryable: error.retryable };
}

/** True when `value` names an engine error code; used on what arrives from a child. */
export function isEngineErrorCode(value: unknown): value is EngineErrorCode {
  return engineErrorCodes.some((code) => code === value);
}

/** Codes of a system call that failed for want of room or of the machine's health. */
const machineCodes: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EIO',
  'EROFS',
]);

/** Whether an error of a system call is the machine's, and no document's. */
export function isMachineCode(code: unknown): boolean {
  return machineCodes.has(code);
}
