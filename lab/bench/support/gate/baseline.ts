import { readFileSync, writeFileSync } from 'node:fs';
import { median } from '../figures.ts';
import type { Ratios } from './judge.ts';
import type { Machine } from './machine.ts';

/** The measurements of a path, in each run. */
interface PathRuns {
  speed: number[];
  cpu: number[];
}

/** The expected speed of paths, as measured when it was recorded. */
export interface Baseline {
  recorded: string;
  commit: string;
  machine: Machine;
  /** Thousands of hashes per second on one core. */
  calibration: number;
  paths: Record<string, PathRuns>;
}

/** @throws Error unless the file has the form of a baseline */
export function readBaseline(file: string): Baseline {
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isBaseline(read)) throw new Error(`${file} is not a baseline. Record it again.`);
  return read;
}

function isBaseline(read: unknown): read is Baseline {
  const { machine, paths } = (read ?? {}) as Partial<Baseline>;
  if (typeof machine?.cores !== 'number' || typeof paths !== 'object') return false;
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.length > 0 && list.every((value) => Number(value) > 0);
  return Object.values(paths).every(({ speed, cpu }) => isList(speed) && isList(cpu));
}

/** The medians of a path's runs, or null. */
export function baselineOf(baseline: Baseline, path: string): Ratios | null {
  const recorded = baseline.paths[path];
  return recorded ? { speed: median(recorded.speed), cpu: median(recorded.cpu) } : null;
}

/**
 * A baseline with a new run. Paths that did not run keep what was recorded before.
 * @param isAddition whether the run is added to those before; otherwise it replaces them
 */
export function recordRun(
  run: ReadonlyMap<string, Ratios>,
  facts: Omit<Baseline, 'paths'>,
  previous: Baseline | null,
  isAddition: boolean,
): Baseline {
  const paths: Record<string, PathRuns> = { ...previous?.paths };
  for (const [path, { speed, cpu }] of run) {
    const before = isAddition ? previous?.paths[path] : undefined;
    paths[path] = {
      speed: [...(before?.speed ?? []), round(speed)],
      cpu: [...(before?.cpu ?? []), round(cpu)],
    };
  }
  return { ...facts, paths };
}

/** Three digits, since more would have no meaning. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

export function writeBaseline(file: string, baseline: Baseline): void {
  // Lists of numbers on one line, as the formatter requires.
  const text = JSON.stringify(baseline, null, 2).replace(
    /\[[\d\s.,]+\]/g,
    (list) => `[${list.slice(1, -1).replace(/\s+/g, ' ').trim()}]`,
  );
  writeFileSync(file, `${text}\n`);
}
