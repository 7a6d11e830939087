import type { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';

/** A unit of work for a child. */
export type ChildTask = {
  /** Which handler of the child's module runs it. */
  name: string;
  /** The argument of the handler; must survive JSON. Paths in it are those of `files`. */
  input: unknown;
  /** The project that owns it: a child that has served one project never serves another. */
  isolation: string;
  /** Tasks with the same affinity (a source file) prefer the child that served it last. */
  affinity?: string;
  /** The files that the child sees, besides those that every child sees. */
  files?: TaskFiles;
};

export type RunOptions = {
  /** Milliseconds from when a child takes the task; waiting for a free child does not count. */
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
  /** Needs an unused child: its own used too much memory, possibly not for this task. */
  wantsNew: boolean;
};
