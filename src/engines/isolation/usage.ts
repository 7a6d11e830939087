import { readdirSync, readFileSync } from 'node:fs';

/** More processes than any child of ours starts. */
const mostProcesses = 64;

/** What a process and all that it started take: resident bytes in all and of the largest, and how many. */
export type Usage = { bytes: number; largest: number; processes: number };

/** Whether /proc tells of processes here. */
export const usageIsKnown = residentBytes(process.pid) !== undefined;

/**
 * Adds up a process and its descendants, wherever these went: an orphan stays below the first
 * process of its namespace.
 */
export function usageOf(pid: number): Usage {
  const usage = { bytes: 0, largest: 0, processes: 0 };
  const waiting = [pid];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    usage.processes += 1;
    const bytes = residentBytes(next) ?? 0;
    usage.bytes += bytes;
    usage.largest = Math.max(usage.largest, bytes);
    if (usage.processes > mostProcesses) return usage;
    waiting.push(...childrenOf(next));
  }
  return usage;
}

/** Whether one of them takes more than `bytes`, or all together more than two may. */
export function isTooMuch(usage: Usage, bytes: number): boolean {
  return usage.largest > bytes || usage.bytes > 2 * bytes;
}

/** Whether they are more than any work of ours starts. */
export function isCrowded({ processes }: Usage): boolean {
  return processes > mostProcesses;
}

/** Resident set of a process in bytes, or undefined where /proc does not say. */
function residentBytes(pid: number): number | undefined {
  try {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return match ? Number(match[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
        .split(' ')
        .filter((child) => child !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
}
