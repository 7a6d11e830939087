import type { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';

/** One piece of work for a child. */
export type Task = {
  /** Which handler of the child's module runs it. */
  name: string;
  /** Its argument; must survive JSON. Paths in it are those of `files`. */
  input: unknown;
  /** Its owner (a project): a child that has served one never serves another. */
  isolation: string;
  /** Tasks with the same affinity (a source) prefer the child that served it last. */
  affinity?: string;
  /** All that the child sees of our files, beside what every child sees. */
  files?: TaskFiles;
};

export type RunOptions = {
  /** Milliseconds from the moment a child takes the task; waiting for a free child does not count. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
};

/** A task in the queue or in hand, and who waits for it. */
export type Entry = {
  task: Task;
  options: RunOptions;
  resolve: (value: unknown) => void;
  reject: (error: EngineError) => void;
  onAbort: () => void;
  /** Wants a child that has served nobody: its own took too much memory, maybe not for this task. */
  wantsNew: boolean;
};
