import { readFileSync } from 'node:fs';

/** The kernel's clock ticks per second. */
const ticksPerSecond = 100;

/** The descendants of a process. */
export function descendantsOf(pid: number): number[] {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    const children = own.split(' ').filter(Boolean).map(Number);
    return children.flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    // It has ended.
    return [];
  }
}

/** The CPU time of all processes that this one has started so far, in seconds. */
export function childCpuSeconds(): number {
  const exitedTicks = ticksOf(process.pid, [13, 14]);
  const runningTicks = descendantsOf(process.pid).map((pid) => ticksOf(pid, [11, 12, 13, 14]));
  return runningTicks.reduce((sum, ticks) => sum + ticks, exitedTicks) / ticksPerSecond;
}

/** `utime`, `stime`, `cutime` and `cstime` are the fields 11 to 14 after the name. */
function ticksOf(pid: number, fields: readonly number[]): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.reduce((sum, field) => sum + Number(values[field]), 0);
  } catch {
    return 0;
  }
}
