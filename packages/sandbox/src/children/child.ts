import { EngineError } from '../errors.ts';
import type { ChildHandle } from './child-handle.ts';
import type { QueuedTask } from './task.ts';

/** A child of a pool and its state. */
export type Child = {
  handle: ChildHandle;
  ready: boolean;
  /** Whether the child was killed but has not exited yet. Further messages are ignored. */
  dying: boolean;
  served: number;
  /** The project whose tasks the child runs; undefined before the first task. */
  isolation: string | undefined;
  affinity: string | undefined;
  entry: QueuedTask | undefined;
  /** Whether the child has answered and its output files are being copied. */
  finishing: boolean;
  /** The id of the unanswered task; 0 without a task. */
  taskId: number;
  /** The id of the unanswered warm-up; 0 without a warm-up. */
  warmUpId: number;
  /** The time at which the child last became idle, on the monotonic clock. */
  restedAt: number;
  timers: NodeJS.Timeout[];
};

export function createChild(handle: ChildHandle): Child {
  return {
    handle,
    ready: false,
    dying: false,
    served: 0,
    taskId: 0,
    warmUpId: 0,
    restedAt: 0,
    finishing: false,
    timers: [],
    isolation: undefined,
    affinity: undefined,
    entry: undefined,
  };
}

/** Whether the child is running a task or its output files are being copied. */
export function isBusy({ entry, finishing }: Child): boolean {
  return entry !== undefined || finishing;
}

export function clearTimers(child: Child): void {
  for (const timer of child.timers.splice(0)) clearTimeout(timer);
}

/** Ends a child. Its exit is reported to the pool. */
export function stop(child: Child): void {
  child.dying = true;
  child.ready = false;
  child.handle.stop();
}

/** Settles the current task, if any, with an error or a value. */
export function settleTask(child: Child, outcome: { value: unknown } | EngineError): void {
  const { entry } = child;
  clearTimers(child);
  child.entry = undefined;
  child.taskId = 0;
  if (!entry) return;
  entry.options.signal?.removeEventListener('abort', entry.onAbort);
  if (outcome instanceof EngineError) entry.reject(outcome);
  else entry.resolve(outcome.value);
}

/** Fails the current task and kills the child. Another child may start once it has exited. */
export function kill(child: Child, error: EngineError): void {
  settleTask(child, error);
  stop(child);
}

/** Allows the parent to exit while this child is idle. */
export function markIdle(child: Child): void {
  child.restedAt = performance.now();
  child.handle.unref();
}
