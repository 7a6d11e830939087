import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

type Process = { pid: number; parent: number; cpuMs: number };

function readProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const ticks = Number(fields[11]) + Number(fields[12]);
        return [{ pid: Number(name), parent: Number(fields[1]), cpuMs: ticks * 10 }];
      } catch {
        return [];
      }
    });
}

/** All processes that descend from one, itself left out. */
function descendantsOf(pid: number): Process[] {
  const all = readProcesses();
  const found: Process[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const next = all.filter(({ parent }) => parents.includes(parent));
    found.push(...next);
    parents = next.map((process) => process.pid);
  }
  return found;
}

/** The most memory a process has held since it was last asked to begin anew, in bytes. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** What the children of a process needed. */
export type Needed = {
  /** The most that one of them held, in bytes. */
  peakBytes: number;
  /** CPU of all of them, those that ended meanwhile included as far as they were seen. */
  cpuSeconds: number;
};

/**
 * Watches what descends from a process, every 50 ms, until the function it gives is called. The
 * kernel's own high-water marks are set back first; a child that ends between two looks is not seen
 * at its highest.
 */
export function watchChildren(pid: number): () => Needed {
  const before = new Map(descendantsOf(pid).map((child) => [child.pid, child.cpuMs]));
  const used = new Map<number, number>();
  let peakBytes = 0;
  for (const child of before.keys()) {
    try {
      writeFileSync(`/proc/${child}/clear_refs`, '5');
    } catch {
      // It has ended since.
    }
  }
  const look = () => {
    for (const child of descendantsOf(pid)) {
      peakBytes = Math.max(peakBytes, peakOf(child.pid));
      used.set(child.pid, child.cpuMs - (before.get(child.pid) ?? 0));
    }
  };
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    look();
    return { peakBytes, cpuSeconds: [...used.values()].reduce((a, b) => a + b, 0) / 1000 };
  };
}
