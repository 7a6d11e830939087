import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's unit in /proc: a hundredth of a second on every Linux. */
const tickMs = 10;

/**
 * CPU milliseconds used so far by a process and all its descendants, including those that exited; 0
 * without /proc. Less affected by other load than wall time, and the limiting resource of a busy
 * service.
 */
export function cpuMs(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    return stat ? [{ ...stat, pid: Number(name) }] : [];
  });
  let used = 0;
  for (let level = all.filter((one) => one.pid === pid); level.length > 0; ) {
    used += level.reduce((sum, { ownMs: own, childrenMs: waited }) => sum + own + waited, 0);
    const parents = new Set(level.map((one) => one.pid));
    level = all.filter(({ parent }) => parents.has(parent));
  }
  return used;
}

/** The processes whose CPU is measured separately, by name. */
export type ProcessGroups = Readonly<Record<string, readonly number[]>>;

/** The CPU time of this process, without its children. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Starts to measure the CPU of processes and their descendants, and of this process alone. The
 * returned function returns the milliseconds used since.
 */
export function watchCpu(groups: ProcessGroups): () => Record<string, number> {
  const read = (): [string, number][] =>
    Object.entries(groups).map(([name, pids]) => [
      name,
      pids.reduce((sum, pid) => sum + (pid === process.pid ? ownCpuMs() : cpuMs(pid)), 0),
    ]);
  const before = new Map(read());
  return () =>
    Object.fromEntries(read().map(([name, used]) => [name, used - (before.get(name) ?? 0)]));
}

function readStat(pid: number): { parent: number; ownMs: number; childrenMs: number } | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return {
    parent: fields[1]!,
    ownMs: (fields[11]! + fields[12]!) * tickMs,
    childrenMs: (fields[13]! + fields[14]!) * tickMs,
  };
}
