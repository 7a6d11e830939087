import { EngineError } from '../errors.ts';
import { mostDiskBytes } from '../isolation/limits.ts';
import { isCrowded, isTooMuch, usageIsKnown, usageOf } from '../isolation/usage.ts';
import { crashed } from './answers.ts';
import { type Child, kill, stop } from './child.ts';
import type { Entry } from './task.ts';

const memoryPollMs = 100;
const diskPollMs = 1_000;

/** Holds a child to the limits of the task it begins: time, memory and disk. */
export function startClocks(
  child: Child,
  entry: Entry,
  memoryBytes: number,
  /** Gives the task to a new child where this one held memory of others; else false. */
  putBack: (child: Child) => boolean,
): void {
  const { deadlineMs } = entry.options;
  const seconds = Math.round(deadlineMs / 100) / 10;
  const late = `The work took longer than ${seconds} seconds.`;
  child.timers.push(
    setTimeout(() => kill(child, new EngineError('deadline_exceeded', late)), deadlineMs),
  );
  if (usageIsKnown) {
    child.timers.push(setInterval(() => watchMemory(child, memoryBytes, putBack), memoryPollMs));
  }
  child.timers.push(setInterval(() => void watchDisk(child, entry), diskPollMs));
}

function watchMemory(child: Child, memoryBytes: number, putBack: (child: Child) => boolean): void {
  const usage = usageOf(child.running.pid ?? 0);
  if (isCrowded(usage)) {
    kill(child, crashed());
  } else if (isTooMuch(usage, memoryBytes)) {
    if (putBack(child)) stop(child);
    else {
      kill(
        child,
        new EngineError('memory_exceeded', 'The file needs more memory than is allowed.'),
      );
    }
  }
}

async function watchDisk(child: Child, entry: Entry): Promise<void> {
  if (!(await child.running.box.isOverfull(mostDiskBytes)) || child.entry !== entry) return;
  kill(child, new EngineError('too_large', 'The file needs more disk space than is allowed.'));
}
