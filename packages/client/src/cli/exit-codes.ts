import { ScriptoriumError } from '../error.ts';

/** The exit codes. README and `--help` list them too. */
export const exit = {
  success: 0,
  /** The job failed or was cancelled. */
  failed: 1,
  usage: 2,
  /** The API rejected the request: 4xx. */
  rejected: 3,
  /** The service is unreachable, overloaded or sent an unexpected response. */
  unreachable: 4,
  /** Only some pages, files or messages succeeded. */
  partial: 5,
  /** A local file could not be read or written. */
  file: 6,
  interrupted: 130,
} as const;

/** The exit codes for `--help`. */
export const exitCodes = `0 success · 1 job failed or cancelled · 2 usage error · 3 rejected by the API
4 service unreachable or overloaded · 5 partial success · 6 file could not be read or written
130 interrupted`;

/** An invalid command line. */
export class UsageError extends Error {}

/** Ctrl-C or SIGTERM. */
export class Interrupted extends Error {}

/** The exit code of an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exit.usage;
  if (error instanceof Interrupted) return exit.interrupted;
  if (error instanceof ScriptoriumError) {
    const { status } = error;
    return status >= 400 && status < 500 && status !== 429 ? exit.rejected : exit.unreachable;
  }
  return isFileError(error) ? exit.file : exit.failed;
}

/** Whether it is a file system error: ENOENT, EACCES, ENOSPC, … */
export function isFileError(error: unknown): error is Error & { code: string; path?: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** The exit code for several items, some of which failed. */
export function exitCodeOfMany(errors: readonly unknown[], total: number): number {
  if (errors.length === 0) return exit.success;
  return errors.length < total ? exit.partial : exitCodeOf(errors[0]);
}
