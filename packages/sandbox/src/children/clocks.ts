import { EngineError } from '../errors.ts';
import { tooLarge } from '../isolation/box.ts';
import { maxDiskBytes } from '../isolation/limits.ts';
import { isCrowded, isTooMuch, memoryIsKnown } from '../isolation/process-tree.ts';
import { crashed, packingFailed } from './answers.ts';
import { type Child, kill, stop } from './child.ts';
import type { QueuedTask } from './task.ts';

const memoryPollMs = 100;
const diskPollMs = 1_000;
const idlePollMs = 1_000;

/** Enforces the time, memory and disk limits of the task that a child starts. */
export function startClocks(
  child: Child,
  entry: QueuedTask,
  memoryBytes: number,
  /**
   * Requeues the task for a new child. Returns false if the child has no memory from earlier tasks.
   */
  putBack: (child: Child) => boolean,
): void {
  const { deadlineMs } = entry.options;
  const seconds = Math.round(deadlineMs / 100) / 10;
  const late = `The work took longer than ${seconds} seconds.`;
  child.timers.push(
    setTimeout(() => kill(child, new EngineError('deadline_exceeded', late)), deadlineMs),
  );
  if (memoryIsKnown) {
    child.timers.push(setInterval(() => watchMemory(child, memoryBytes, putBack), memoryPollMs));
  }
  watchDisk(child, (error) => kill(child, error));
}

/**
 * Enforces the limits of a child between two tasks of its project. The child runs none of our code
 * then, so a child that exceeds a limit is under the control of a hostile file.
 */
export function watchIdle(child: Child, memoryBytes: number): void {
  const check = (): void => {
    const use = child.running.memory();
    if (isCrowded(use) || isTooMuch(use, memoryBytes)) stop(child);
  };
  if (memoryIsKnown) child.timers.push(setInterval(check, idlePollMs).unref());
  watchDisk(child, () => stop(child)).unref();
}

function watchMemory(child: Child, memoryBytes: number, putBack: (child: Child) => boolean): void {
  const use = child.running.memory();
  if (isCrowded(use)) {
    kill(child, crashed());
  } else if (isTooMuch(use, memoryBytes)) {
    if (putBack(child)) stop(child);
    else {
      kill(
        child,
        new EngineError('memory_exceeded', 'The file needs more memory than is allowed.'),
      );
    }
  }
}

/** Measures the files of a child until its timers are cleared or it must end. */
function watchDisk(child: Child, end: (error: EngineError) => void): NodeJS.Timeout {
  let isLooking = false;
  const look = async (): Promise<void> => {
    // On a busy machine, a measurement may take longer than the interval between measurements.
    if (isLooking) return;
    isLooking = true;
    const error = await child.running
      .isOverfull(maxDiskBytes)
      .then((isOverfull) => (isOverfull ? tooLarge() : null), packingFailed);
    isLooking = false;
    if (error && child.timers.includes(timer)) end(error);
  };
  const timer = setInterval(() => void look(), diskPollMs);
  child.timers.push(timer);
  return timer;
}
