import { ScriptoriumError } from '../error.ts';

/** What the command line ends with. The README and `--help` say the same. */
export const exit = {
  fine: 0,
  /** The job failed or was cancelled, or nothing that was asked for came about. */
  failed: 1,
  usage: 2,
  /** The API refused it: 4xx. */
  refused: 3,
  /** Not reached, too busy, or an answer that is none. */
  unreachable: 4,
  /** Some pages, files or messages, not all. */
  partial: 5,
  /** A file here could not be read or written. */
  file: 6,
  interrupted: 130,
} as const;

/** The same in words, for `--help`. */
export const exitCodes = `0 fine · 1 the job failed or was cancelled · 2 wrong usage · 3 refused by the API
4 not reached, or too busy · 5 succeeded in part · 6 a file could not be read or written
130 interrupted`;

/** A wrong command line. */
export class UsageError extends Error {}

/** The user pressed Ctrl-C, or somebody sent SIGTERM. */
export class Interrupted extends Error {}

/** The exit code that an error means. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exit.usage;
  if (error instanceof Interrupted) return exit.interrupted;
  if (error instanceof ScriptoriumError) {
    const { status } = error;
    return status >= 400 && status < 500 && status !== 429 ? exit.refused : exit.unreachable;
  }
  return isFileError(error) ? exit.file : exit.failed;
}

/** What the file system says: ENOENT, EACCES, ENOSPC, … */
export function isFileError(error: unknown): error is Error & { code: string; path?: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** The code for several things of which some went wrong. */
export function exitCodeOfMany(failed: readonly unknown[], all: number): number {
  if (failed.length === 0) return exit.fine;
  return failed.length < all ? exit.partial : exitCodeOf(failed[0]);
}
