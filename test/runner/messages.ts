/** What the program that hands out test files and its lanes send each other. */

/** A file to run: all of its tests, or those whose title or suite is named. */
export type ToLane = { run: string; titles: readonly string[] | null } | 'end';

export type FromLane = 'ready' | FileResult;

export interface FileResult {
  /** The path below the folder of tests. */
  file: string;
  passed: number;
  skipped: number;
  milliseconds: number;
  failures: Failure[];
}

export interface Failure {
  title: string;
  /** The error with its stack, or what the process printed. */
  text: string;
}
