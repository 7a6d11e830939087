import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { calibrate, median } from '../figures.ts';

/** The machine on which a baseline was recorded. */
export interface Machine {
  cpu: string;
  cores: number;
  memory_gb: number;
  node: string;
}

export function describeMachine(): Machine {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  };
}

/** The other load on the machine during the measurement. */
export interface Noise {
  /** The share of all cores that other processes used. */
  others: number;
  /** The share of all cores that the hypervisor gave to other machines. */
  stolen: number;
  /** Thousands of hashes per second, for each measurement. */
  calibrations: readonly number[];
}

/** Above this, a verdict would be a guess. */
export const maxNoise = { others: 0.1, stolen: 0.05, calibration: 0.25 };

/** Why a machine was too busy to judge; empty if it was not. */
export function disturbances({ others, stolen, calibrations }: Noise): string[] {
  const reasons: string[] = [];
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  if (others > maxNoise.others) {
    reasons.push(`other processes used ${percent(others)} of all cores`);
  }
  if (stolen > maxNoise.stolen) {
    reasons.push(`the hypervisor took ${percent(stolen)} of all cores`);
  }
  if (calibrations.length > 0) {
    const [typical, lowest] = [median(calibrations), Math.min(...calibrations)];
    if (lowest < typical * (1 - maxNoise.calibration)) {
      reasons.push(
        `its speed varied: calibration ${lowest.toFixed(1)}, usually ${typical.toFixed(1)}`,
      );
    }
  }
  return reasons;
}

/** CPU time of all cores so far, in hundredths of a second. */
export interface Times {
  all: number;
  stolen: number;
  /** Of processes that this one did not start, directly or indirectly, excluding kernel threads. */
  others: number;
}

/** Watches the machine from now until `noise` is called. */
export interface MachineWatch {
  /** Measures how fast one core is. No other process of the benchmark may run meanwhile. */
  calibrate(): Promise<void>;
  readNoise(): Noise;
}

/** @param pids of the benchmark's processes that are not descendants of this one */
export function watchMachine(pids: readonly number[] = []): MachineWatch {
  const before = readTimes(pids);
  const calibrations: number[] = [];
  return {
    async calibrate() {
      for (let time = 0; time < 3; time++) calibrations.push(await calibrate());
    },
    readNoise: () => ({ ...usageShares(before, readTimes(pids)), calibrations }),
  };
}

/** The users of the machine between two readings, excluding the benchmark. */
export function usageShares(before: Times, now: Times): Pick<Noise, 'others' | 'stolen'> {
  const all = now.all - before.all;
  const share = (name: 'others' | 'stolen'): number => Math.max(0, now[name] - before[name]) / all;
  return { others: share('others'), stolen: share('stolen') };
}

/** The one-minute load average. */
export function loadAverage(): number {
  return loadavg()[0]!;
}

function readTimes(pids: readonly number[]): Times {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!;
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = times.reduce((sum, time) => sum + time, 0);
  return { all, stolen: times[7] ?? 0, others: otherTime(pids) };
}

/** Of processes that are neither descendants of this one nor given, and of their ended children. */
function otherTime(pids: readonly number[]): number {
  const all = new Map<number, { parent: number; own: number; children: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields) all.set(Number(name), fields);
  }
  const kernel = 2;
  const roots = new Set([process.pid, kernel, ...pids]);
  const isOurs = (pid: number): boolean => {
    if (roots.has(pid)) return true;
    const parent = all.get(pid)?.parent;
    return parent !== undefined && parent > 0 && isOurs(parent);
  };
  let sum = 0;
  for (const [pid, { own, children: waited }] of all) {
    // Orphans become children of the first process, and those of a killed engine belong to the
    // benchmark.
    if (!isOurs(pid)) sum += pid === 1 ? own : own + waited;
  }
  return sum;
}

function statOf(pid: string): { parent: number; own: number; children: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return {
      parent: fields[1]!,
      own: fields[11]! + fields[12]!,
      children: fields[13]! + fields[14]!,
    };
  } catch {
    return null;
  }
}
