import { readFileSync } from 'node:fs';

/** The kernel's unit in /proc: a hundredth of a second on every Linux. */
const tickMs = 10;

/**
 * Milliseconds of CPU that a process has used so far, 0 where /proc is missing. Steadier than wall
 * time on a machine with other work, and what a busy service runs out of.
 */
export function cpuMs(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
