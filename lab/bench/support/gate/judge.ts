import type { Sample } from '../arms.ts';
import { median } from '../figures.ts';

/** The measures of a path: both compare the service with a peer that ran in the same rounds. */
export interface Ratios {
  /** Speed relative to the peer: more is better. */
  speed: number;
  /** CPU of all processes per operation, relative to the peer: less is better. */
  cpu: number;
}

/** Declines of more than this are judged. */
export interface Bounds {
  /** The share of the speed that may be lost. */
  speed: number;
  /** The share of CPU that may be added. */
  cpu: number;
}

/** The measure for comparing arms: operations per second, or the median time of one. */
export type SpeedFigure = 'rate' | 'p50';

/** The medians of the rounds' ratios. */
export function ratiosOf(
  ours: readonly Sample[],
  peer: readonly Sample[],
  figure: SpeedFigure,
): Ratios {
  const rounds = ours.map((sample, at) => {
    const other = peer[at]!;
    const speed = figure === 'rate' ? sample.rate / other.rate : other.p50 / sample.p50;
    return { speed, cpu: cpuOf(sample) / cpuOf(other) };
  });
  return {
    speed: median(rounds.map(({ speed }) => speed)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
  };
}

function cpuOf({ cpu }: Sample): number {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
}

/** The measure, speed or CPU, that is worse than the baseline. */
export type Regression = keyof Ratios;

/** The change of a figure: -0.2 is a fifth less. */
export function changeOf(now: number, before: number): number {
  return now / before - 1;
}

/** The figures that have worsened by more than their bound. */
export function findRegressions(now: Ratios, baseline: Ratios, bounds: Bounds): Regression[] {
  const regressions: Regression[] = [];
  if (changeOf(now.speed, baseline.speed) < -bounds.speed) regressions.push('speed');
  if (changeOf(now.cpu, baseline.cpu) > bounds.cpu) regressions.push('cpu');
  return regressions;
}

/**
 * - `ok`, or `faster` by more than the bound: the baseline then hides later losses.
 * - `slower` or `more CPU`: in both runs.
 * - `unknown`: without a baseline.
 */
export type Verdict = 'ok' | 'faster' | 'slower' | 'more CPU' | 'unknown';

/**
 * The verdict on the runs of a path. A decline that a second run does not repeat is noise.
 * @param runs one, or two if the first declined
 */
export function verdictOf(
  runs: readonly Ratios[],
  baseline: Ratios | null,
  bounds: Bounds,
): Verdict {
  if (!baseline) return 'unknown';
  const [first = [], ...others] = runs.map((run) => findRegressions(run, baseline, bounds));
  const repeated = first.filter((regression) =>
    others.every((regressions) => regressions.includes(regression)),
  );
  if (repeated.includes('speed')) return 'slower';
  if (repeated.includes('cpu')) return 'more CPU';
  const isFaster = runs.every(
    ({ speed, cpu }) =>
      changeOf(speed, baseline.speed) > bounds.speed || changeOf(cpu, baseline.cpu) < -bounds.cpu,
  );
  return isFaster ? 'faster' : 'ok';
}

export function isFailure(verdict: Verdict): boolean {
  return verdict !== 'ok' && verdict !== 'faster';
}
