/** What the program that hands out test files and its lanes send each other. */

export type ToLane = { run: string } | 'end';

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
