import { EngineError } from '../errors.ts';
import type { Running } from './running.ts';
import type { QueuedTask } from './task.ts';

/** A child of a pool, and its state. */
export type Child = {
  running: Running;
  ready: boolean;
  /** Killed, but its exit not seen yet: later messages are ignored. */
  dying: boolean;
  served: number;
  /** The project whose tasks it serves; undefined until the first. */
  isolation: string | undefined;
  affinity: string | undefined;
  entry: QueuedTask | undefined;
  /** It has answered, and its files are being taken out. */
  finishing: boolean;
  /** The task that it has not answered yet; 0 if none. */
  taskId: number;
  /** The warm-up that it has not answered yet; 0 if none. */
  warmUpId: number;
  /** When it last became idle, on the monotonic clock. */
  restedAt: number;
  timers: NodeJS.Timeout[];
};

export function newChild(running: Running): Child {
  return {
    running,
    ...{ ready: false, dying: false, served: 0, taskId: 0, warmUpId: 0, restedAt: 0 },
    ...{ finishing: false, timers: [] },
    ...{ isolation: undefined, affinity: undefined, entry: undefined },
  };
}

/** Whether it works on a task or its files are being taken out. */
export function isBusy({ entry, finishing }: Child): boolean {
  return entry !== undefined || finishing;
}

export function clearTimers(child: Child): void {
  for (const timer of child.timers.splice(0)) clearTimeout(timer);
}

/** Ends a child; its exit is reported to the pool. */
export function stop(child: Child): void {
  child.dying = true;
  child.ready = false;
  child.running.stop();
}

/** Ends the current task, if any, with an error or a value. */
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

/** Fails the current task and kills the child; its exit makes room for another. */
export function kill(child: Child, error: EngineError): void {
  settleTask(child, error);
  stop(child);
}

/** Lets the parent end while this child idles. */
export function rest(child: Child): void {
  child.restedAt = performance.now();
  child.running.rest();
}
