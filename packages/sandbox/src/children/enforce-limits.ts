import { EngineError } from '../errors.ts';
import { tooLargeError } from '../isolation/box.ts';
import { maxDiskBytes } from '../isolation/limits.ts';
import { canMeasureMemory, exceedsMemory, hasTooManyProcesses } from '../isolation/process-tree.ts';
import { crashedError, packingError } from './answers.ts';
import { type Child, kill, stop } from './child.ts';
import type { QueuedTask } from './task.ts';

const memoryPollMs = 100;
const diskPollMs = 1_000;
const idlePollMs = 1_000;

/** Enforces the time, memory and disk limits of the task that a child starts. */
export function enforceLimits(
  child: Child,
  entry: QueuedTask,
  memoryBytes: number,
  /**
   * Requeues the task for a new child. Returns false if the child has no memory from earlier tasks.
   */
  requeue: (child: Child) => boolean,
): void {
  const { deadlineMs } = entry.options;
  const seconds = Math.round(deadlineMs / 100) / 10;
  const message = `The work took longer than ${seconds} seconds.`;
  child.timers.push(
    setTimeout(() => kill(child, new EngineError('deadline_exceeded', message)), deadlineMs),
  );
  if (canMeasureMemory) {
    child.timers.push(setInterval(() => watchMemory(child, memoryBytes, requeue), memoryPollMs));
  }
  watchDisk(child, (error) => kill(child, error));
}

/**
 * Enforces the limits of a child between two tasks of its project. An idle child runs no task, so a
 * hostile file controls it if it exceeds a limit.
 */
export function watchIdle(child: Child, memoryBytes: number): void {
  const check = (): void => {
    const use = child.handle.memory();
    if (hasTooManyProcesses(use) || exceedsMemory(use, memoryBytes)) stop(child);
  };
  if (canMeasureMemory) child.timers.push(setInterval(check, idlePollMs).unref());
  watchDisk(child, () => stop(child)).unref();
}

function watchMemory(child: Child, memoryBytes: number, requeue: (child: Child) => boolean): void {
  const use = child.handle.memory();
  if (hasTooManyProcesses(use)) {
    kill(child, crashedError());
  } else if (exceedsMemory(use, memoryBytes)) {
    if (requeue(child)) stop(child);
    else {
      kill(
        child,
        new EngineError('memory_exceeded', 'The file needs more memory than is allowed.'),
      );
    }
  }
}

/** Measures the files of a child until its timers are cleared or it must end. */
function watchDisk(child: Child, onExceeded: (error: EngineError) => void): NodeJS.Timeout {
  let isMeasuring = false;
  const measure = async (): Promise<void> => {
    // On a busy machine, a measurement may take longer than the interval between measurements.
    if (isMeasuring) return;
    isMeasuring = true;
    const error = await child.handle
      .isOverfull(maxDiskBytes)
      .then((isOverfull) => (isOverfull ? tooLargeError() : null), packingError);
    isMeasuring = false;
    if (error && child.timers.includes(timer)) onExceeded(error);
  };
  const timer = setInterval(() => void measure(), diskPollMs);
  child.timers.push(timer);
  return timer;
}
