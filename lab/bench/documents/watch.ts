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

/** All descendants of a process. */
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

/** The peak memory of a process since the last reset, in bytes. */
export function peakBytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The resources used by the children of a process. */
export type ResourceUsage = {
  /** The peak memory of a single child, in bytes. */
  peakBytes: number;
  /** The CPU time of all children, including those that exited, as far as observed. */
  cpuSeconds: number;
};

/**
 * Samples the descendants of a process every 50 ms until the returned function is called. The kernel's
 * high-water marks are reset first; the peak of a child that exits between two samples is missed.
 */
export function watchChildren(pid: number): () => ResourceUsage {
  const before = new Map(descendantsOf(pid).map((child) => [child.pid, child.cpuMs]));
  const used = new Map<number, number>();
  let peakBytes = 0;
  for (const child of before.keys()) {
    try {
      writeFileSync(`/proc/${child}/clear_refs`, '5');
    } catch {
      // The process has exited.
    }
  }
  const sample = () => {
    for (const child of descendantsOf(pid)) {
      peakBytes = Math.max(peakBytes, peakBytesOf(child.pid));
      used.set(child.pid, child.cpuMs - (before.get(child.pid) ?? 0));
    }
  };
  const timer = setInterval(sample, 50);
  return () => {
    clearInterval(timer);
    sample();
    return { peakBytes, cpuSeconds: [...used.values()].reduce((a, b) => a + b, 0) / 1000 };
  };
}
