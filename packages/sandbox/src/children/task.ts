import type { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';

/** A unit of work for a child. */
export type ChildTask = {
  /** The name of the handler in the module of the child. */
  name: string;
  /**
   * The argument of the handler, which must be serialisable as JSON. Its paths are those of
   * `files`.
   */
  input: unknown;
  /**
   * The project that owns the task. A child that has run a task of a project never runs a task of
   * another project.
   */
  isolation: string;
  /** Tasks with the same affinity (a source file) prefer the child that ran the previous one. */
  affinity?: string;
  /**
   * The files of the task. The child has access to them in addition to the files of all children.
   */
  files?: TaskFiles;
};

export type RunOptions = {
  /**
   * Time limit in milliseconds from the start of the task. Waiting for a free child does not count.
   */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
};

/** A task that is queued or running, and the promise to settle. */
export type QueuedTask = {
  task: ChildTask;
  options: RunOptions;
  resolve: (value: unknown) => void;
  reject: (error: EngineError) => void;
  onAbort: () => void;
  /**
   * Whether the task needs an unused child. Its previous child used too much memory, possibly
   * because of earlier tasks.
   */
  wantsNew: boolean;
};
