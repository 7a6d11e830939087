import { median } from '../bench/support/figures.ts';
import type { Sample } from './sampler.ts';

/** A figure at the beginning, after the warm-up, and at the end. */
export interface Comparison {
  name: string;
  first: number;
  last: number;
  /** In percent of the first. */
  change: number;
  isJudged: boolean;
  isWithinBound: boolean;
}

/** How far the end may exceed the beginning: a share, and an absolute amount for noise. */
interface Bound {
  pattern: RegExp;
  percent: number;
  noise: number;
}

/** The first match. Figures without a match are only shown. */
const bounds: readonly Bound[] = [
  { pattern: / rss_mb$/, percent: 10, noise: 15 },
  { pattern: / heap_mb$/, percent: 10, noise: 15 },
  { pattern: / external_mb$/, percent: 10, noise: 10 },
  // Pools of connections and children grow and shrink.
  { pattern: / files$/, percent: 10, noise: 20 },
  { pattern: / loop_lag_ms$/, percent: 10, noise: 20 },
  // BullMQ keeps the latest 200 of each queue, which quiet queues reach late.
  { pattern: /^redis keys$/, percent: 10, noise: 400 },
  { pattern: /^redis mb$/, percent: 10, noise: 1 },
  { pattern: /^event partitions$/, percent: 10, noise: 1 },
  // Data that jobs and requests leave for longer than a run: its rows are shown, not judged.
  {
    pattern:
      /^table (job|job_\w+|idempotency|usage_day|object_download|object_text|share|image_word\w*|webhook_stat\w*) /,
    percent: Number.POSITIVE_INFINITY,
    noise: 0,
  },
  { pattern: /^table \w+ kb$/, percent: 10, noise: 256 },
  { pattern: /^table \w+ dead$/, percent: 10, noise: 2_000 },
];

function judge(name: string, first: number, last: number): Comparison {
  const bound = bounds.find(({ pattern: of }) => of.test(name));
  const isJudged = bound !== undefined && Number.isFinite(bound.percent);
  return {
    name,
    first,
    last,
    isJudged,
    change: first === 0 ? 0 : ((last - first) / first) * 100,
    isWithinBound:
      !isJudged || last - first <= Math.max(bound.noise, (first * bound.percent) / 100),
  };
}

/** Three of each third. */
export const minSamples = 9;

/**
 * Compares the medians of the first and the last third of the samples. A figure that is missing in
 * some of them does not pass.
 * @throws if there are too few samples
 */
export function compareSamples(samples: readonly Sample[]): Comparison[] {
  if (samples.length < minSamples) {
    throw new Error(
      `${samples.length} samples are too few to compare: ${minSamples} are the minimum.`,
    );
  }
  const third = Math.floor(samples.length / 3);
  const [early, late] = [samples.slice(0, third), samples.slice(-third)];
  const names = new Set(samples.flatMap(({ figures }) => Object.keys(figures)));
  return [...names].sort().map((name) => {
    const medianOf = (fraction: readonly Sample[]) =>
      median(fraction.flatMap(({ figures }) => figures[name] ?? []));
    const isComplete = [...early, ...late].every(({ figures }) => figures[name] !== undefined);
    const row = judge(name, medianOf(early), medianOf(late));
    return isComplete
      ? row
      : { ...row, name: `${name} (missing)`, isJudged: true, isWithinBound: false };
  });
}

interface TimedRequest {
  kind: string;
  at: number;
  ms: number;
}

/** Compares latencies of the first and the last third, by kind and together. */
export function compareLatencies(timings: readonly TimedRequest[], percent: number): Comparison[] {
  if (timings.length === 0) return [];
  const [begin, end] = timeRange(timings);
  const third = (end - begin) / 3;
  const kinds = [...new Set(timings.map(({ kind }) => kind))].sort();
  return ['all', ...kinds].flatMap((kind) => {
    const timingsOfKind = timings.filter((timing) => kind === 'all' || timing.kind === kind);
    const early = timingsOfKind.filter(({ at }) => at < begin + third).map(({ ms }) => ms);
    const late = timingsOfKind.filter(({ at }) => at >= end - third).map(({ ms }) => ms);
    return [0.5, 0.95].map((fraction) => {
      const [first, last] = [quantile(early, fraction), quantile(late, fraction)];
      const isJudged = kind === 'all';
      const isWithinBound = !isJudged || last - first <= Math.max(5, (first * percent) / 100);
      const change = first === 0 ? 0 : ((last - first) / first) * 100;
      return {
        name: `${kind} p${fraction * 100} ms`,
        first,
        last,
        change,
        isJudged,
        isWithinBound: isWithinBound,
      };
    });
  });
}

/** Not spread into arguments: there are too many. */
function timeRange(timings: readonly TimedRequest[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const { at } of timings) {
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  return [low, high];
}

function quantile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(fraction * (sorted.length - 1))] ?? 0;
}
