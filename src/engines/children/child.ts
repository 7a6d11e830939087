import { EngineError } from '../errors.ts';
import type { Running } from './running.ts';
import type { Entry } from './task.ts';

/** A child of a pool, and what it does. */
export type Child = {
  running: Running;
  ready: boolean;
  /** Killed, its exit not seen yet: messages it sent before no longer count. */
  dying: boolean;
  served: number;
  /** Whose tasks it serves; undefined until the first. */
  isolation: string | undefined;
  affinity: string | undefined;
  entry: Entry | undefined;
  /** It has answered, and its files are taken out. */
  finishing: boolean;
  /** The task it was sent and has not answered; 0 when there is none. */
  taskId: number;
  /** The warm-up that it was sent and has not answered; 0 when there is none. */
  warmUpId: number;
  /** When it last came to rest, on the monotonic clock. */
  restedAt: number;
  timers: NodeJS.Timeout[];
};

/** A child that has just been started. */
export function newChild(running: Running): Child {
  return {
    running,
    ...{ ready: false, dying: false, served: 0, taskId: 0, warmUpId: 0, restedAt: 0 },
    ...{ finishing: false, timers: [] },
    ...{ isolation: undefined, affinity: undefined, entry: undefined },
  };
}

/** Whether it has a task in hand, or its files. */
export function isBusy({ entry, finishing }: Child): boolean {
  return entry !== undefined || finishing;
}

export function clearTimers(child: Child): void {
  for (const timer of child.timers.splice(0)) clearTimeout(timer);
}

/** Ends a child; the pool hears of its exit. */
export function stop(child: Child): void {
  child.dying = true;
  child.ready = false;
  child.running.stop();
}

/** Ends the task in hand, if any: with an error, or with a value. */
export function settle(child: Child, outcome: { value: unknown } | EngineError): void {
  const { entry } = child;
  clearTimers(child);
  child.entry = undefined;
  child.taskId = 0;
  if (!entry) return;
  entry.options.signal?.removeEventListener('abort', entry.onAbort);
  if (outcome instanceof EngineError) entry.reject(outcome);
  else entry.resolve(outcome.value);
}

/** Fails the task in hand and kills the child; its exit then makes room for another. */
export function kill(child: Child, error: EngineError): void {
  settle(child, error);
  stop(child);
}

/** Lets the parent end while this child idles. */
export function rest(child: Child): void {
  child.restedAt = performance.now();
  child.running.rest();
}
