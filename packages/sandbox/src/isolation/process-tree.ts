import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Maximum number of processes, more than any task starts. */
const maxProcesses = 64;
/**
 * Number of measurements per walk. A walk of the tree reads a file per thread, so most measurements
 * reuse the result of the last walk.
 */
const measurementsPerWalk = 5;
/**
 * Maximum number of times that processes are sent a stop signal, and the longest pause between
 * signals: ten seconds in total.
 */
const maxRounds = 150;
const maxPauseMs = 100;

/** Resident memory of processes in bytes, total and of the largest process, and their number. */
export type MemoryUse = { bytes: number; largest: number; processes: number };

/** Whether one process uses more than `bytes`, or all processes use more than twice as much. */
export function exceedsMemory(use: MemoryUse, bytes: number): boolean {
  return use.largest > bytes || use.bytes > 2 * bytes;
}

/** Whether there are more processes than any task starts. */
export function hasTooManyProcesses({ processes }: MemoryUse): boolean {
  return processes > maxProcesses;
}

/** A process and its descendants. Orphans are included, because they stay in its PID namespace. */
export class ProcessTree {
  readonly #root: number;
  #pids: number[] = [];
  #newest: string | undefined;
  #sinceWalk = 0;

  constructor(root: number) {
    this.#root = root;
  }

  /**
   * Measures the tree. The tree is walked again only after a process or thread has started on this
   * machine, or after a few measurements.
   */
  measure(): MemoryUse {
    // Read before the walk, so that the next measurement detects processes that start during the
    // walk.
    const newest = newestTask();
    this.#sinceWalk += 1;
    if (newest === undefined || newest !== this.#newest || this.#sinceWalk >= measurementsPerWalk) {
      this.#pids = descendantsOf(this.#root);
      this.#newest = newest;
      this.#sinceWalk = 0;
    }
    const use = { bytes: 0, largest: 0, processes: this.#pids.length };
    for (const pid of this.#pids) {
      const bytes = residentBytes(pid) ?? 0;
      use.bytes += bytes;
      use.largest = Math.max(use.largest, bytes);
    }
    return use;
  }

  /** Returns the current process ids. */
  pids(): number[] {
    return descendantsOf(this.#root);
  }

  /** Runs `work` while all processes are stopped. Returns null if they do not stop. */
  async whileStopped<T>(work: () => Promise<T>): Promise<T | null> {
    const signalled = new Set<number>();
    let stopped = new Set<number>();
    try {
      for (let round = 1; round <= maxRounds; round += 1) {
        const pids = this.pids();
        // Only a process that was still running can have started one that is not in the list.
        if (pids.every((pid) => stopped.has(pid))) return await work();
        for (const pid of pids) {
          signalled.add(pid);
          signal(pid, 'SIGSTOP');
        }
        await delay(Math.min(round, maxPauseMs));
        stopped = new Set(pids.filter(isStopped));
      }
      return null;
    } finally {
      for (const pid of signalled) signal(pid, 'SIGCONT');
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has exited.
  }
}

/** Whether a process runs no code: it is stopped, has exited, or waits in a system call. */
function isStopped(pid: number): boolean {
  return threadsOf(pid).every((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
      // The name of the program, which precedes the state, is in parentheses and may contain
      // parentheses.
      return 'TtDZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
    } catch {
      return true;
    }
  });
}

/** Returns the threads of a process; empty if it has exited or /proc does not list them. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns a process and its descendants. The walk ends when there are too many. */
function descendantsOf(root: number): number[] {
  const pids = [root];
  for (const pid of pids) {
    if (pids.length > maxProcesses) break;
    // Added separately, because a process may have more children than a call can take arguments.
    for (const child of childrenOf(pid)) pids.push(child);
  }
  return pids.slice(0, maxProcesses + 1);
}

/** Returns the processes that a process has started; empty if /proc does not list them. */
export function childrenOf(pid: number): number[] {
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

/**
 * Returns the id of the newest process or thread in this PID namespace or below it; undefined if
 * the kernel does not report it, as in gVisor.
 */
function newestTask(): string | undefined {
  try {
    const newest = readFileSync('/proc/loadavg', 'latin1').trimEnd().split(' ')[4];
    return newest === '0' ? undefined : newest;
  } catch {
    return undefined;
  }
}

/**
 * Reads the size of a memory page in bytes from the auxiliary vector, which consists of pairs of a
 * type and a value, 64 bits each.
 */
function readPageSize(): number | undefined {
  const pageSizeType = 6n;
  try {
    const vector = readFileSync('/proc/self/auxv');
    const words = new BigUint64Array(new Uint8Array(vector).buffer);
    const at = words.findIndex((word, index) => index % 2 === 0 && word === pageSizeType);
    return at < 0 ? undefined : Number(words[at + 1]);
  } catch {
    return undefined;
  }
}

const pageSize = readPageSize();

/**
 * Returns the resident memory of a process in bytes; undefined if it has exited or /proc does not
 * report it.
 */
function residentBytes(pid: number): number | undefined {
  if (pageSize === undefined) return undefined;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) ? pages * pageSize : undefined;
  } catch {
    return undefined;
  }
}

/** Whether /proc reports the memory of processes on this machine. */
export const canMeasureMemory = residentBytes(process.pid) !== undefined;
