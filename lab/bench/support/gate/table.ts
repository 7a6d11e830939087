import { changeOf, type Ratios, type Verdict } from './judge.ts';

/** A line of the table. */
export interface JudgedPath {
  path: string;
  runs: readonly Ratios[];
  baseline: Ratios | null;
  verdict: Verdict;
}

const width = 44;

/**
 * The table: each path with both measures now, in the baseline, and the change. A second run
 * follows.
 */
export function formatTable(judged: readonly JudgedPath[]): string {
  const head = [
    'path'.padEnd(width),
    ...['speed', 'before', 'change', 'CPU', 'before', 'change'].map((text) => text.padStart(8)),
    '  verdict',
  ];
  const lines = judged.flatMap(({ path, runs, baseline, verdict }) =>
    runs.map((run, at) =>
      [
        (at === 0 ? path : '  again').padEnd(width),
        ...formatFigures(run.speed, baseline?.speed),
        ...formatFigures(run.cpu, baseline?.cpu),
        at === runs.length - 1 ? `  ${verdict}` : '',
      ].join(''),
    ),
  );
  return [head.join(''), ...lines].join('\n');
}

function formatFigures(now: number, before: number | undefined): string[] {
  const change = before === undefined ? '–' : formatPercent(changeOf(now, before));
  return [now.toFixed(3), before?.toFixed(3) ?? '–', change].map((text) => text.padStart(8));
}

function formatPercent(change: number): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change * 100).toFixed(0)} %`;
}
