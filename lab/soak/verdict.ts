import { median } from '../bench/support/figures.ts';
import type { Sample } from './sample.ts';

/** A figure at the beginning, after the warm-up, and at the end. */
export interface Row {
  name: string;
  first: number;
  last: number;
  /** In percent of the first. */
  change: number;
  isJudged: boolean;
  isWell: boolean;
}

/** How far the end may exceed the beginning: a share, and an absolute amount for noise. */
interface Bound {
  of: RegExp;
  percent: number;
  noise: number;
}

/** The first match. Figures without a match are only shown. */
const bounds: readonly Bound[] = [
  { of: / rss_mb$/, percent: 10, noise: 15 },
  { of: / heap_mb$/, percent: 10, noise: 15 },
  { of: / external_mb$/, percent: 10, noise: 10 },
  // Pools of connections and children grow and shrink.
  { of: / files$/, percent: 10, noise: 20 },
  { of: / loop_lag_ms$/, percent: 10, noise: 20 },
  // BullMQ keeps the latest 200 of each queue, which quiet queues reach late.
  { of: /^redis keys$/, percent: 10, noise: 400 },
  { of: /^redis mb$/, percent: 10, noise: 1 },
  { of: /^event partitions$/, percent: 10, noise: 1 },
  // Data that jobs and requests leave for longer than a run: its rows are shown, not judged.
  {
    of: /^table (job|job_\w+|idempotency|usage_day|object_download|object_text|share|image_word\w*|webhook_stat\w*) /,
    percent: Number.POSITIVE_INFINITY,
    noise: 0,
  },
  { of: /^table \w+ kb$/, percent: 10, noise: 256 },
  { of: /^table \w+ dead$/, percent: 10, noise: 2_000 },
];

function judge(name: string, first: number, last: number): Row {
  const bound = bounds.find(({ of }) => of.test(name));
  const isJudged = bound !== undefined && Number.isFinite(bound.percent);
  return {
    ...{ name, first, last, isJudged },
    change: first === 0 ? 0 : ((last - first) / first) * 100,
    isWell: !isJudged || last - first <= Math.max(bound.noise, (first * bound.percent) / 100),
  };
}

/** Three of each third. */
export const fewestSamples = 9;

/**
 * Compares the medians of the first and the last third of the samples. A figure that is missing in
 * some of them does not pass.
 * @throws if there are too few samples
 */
export function compareSamples(samples: readonly Sample[]): Row[] {
  if (samples.length < fewestSamples) {
    throw new Error(
      `${samples.length} samples are too few to compare: ${fewestSamples} are the minimum.`,
    );
  }
  const third = Math.floor(samples.length / 3);
  const [early, late] = [samples.slice(0, third), samples.slice(-third)];
  const names = new Set(samples.flatMap(({ figures }) => Object.keys(figures)));
  return [...names].sort().map((name) => {
    const of = (part: readonly Sample[]) =>
      median(part.flatMap(({ figures }) => figures[name] ?? []));
    const isWhole = [...early, ...late].every(({ figures }) => figures[name] !== undefined);
    const row = judge(name, of(early), of(late));
    return isWhole ? row : { ...row, name: `${name} (missing)`, isJudged: true, isWell: false };
  });
}

interface Timed {
  kind: string;
  at: number;
  ms: number;
}

/** Compares latencies of the first and the last third, by kind and together. */
export function compareLatencies(timings: readonly Timed[], percent: number): Row[] {
  if (timings.length === 0) return [];
  const [begin, end] = span(timings);
  const third = (end - begin) / 3;
  const kinds = [...new Set(timings.map(({ kind }) => kind))].sort();
  return ['all', ...kinds].flatMap((kind) => {
    const own = timings.filter((timing) => kind === 'all' || timing.kind === kind);
    const early = own.filter(({ at }) => at < begin + third).map(({ ms }) => ms);
    const late = own.filter(({ at }) => at >= end - third).map(({ ms }) => ms);
    return [0.5, 0.95].map((part) => {
      const [first, last] = [quantile(early, part), quantile(late, part)];
      const isJudged = kind === 'all';
      const isWell = !isJudged || last - first <= Math.max(5, (first * percent) / 100);
      const change = first === 0 ? 0 : ((last - first) / first) * 100;
      return { name: `${kind} p${part * 100} ms`, first, last, change, isJudged, isWell };
    });
  });
}

/** Not spread into arguments: there are too many. */
function span(timings: readonly Timed[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const { at } of timings) {
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  return [low, high];
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
}
