import type { Verdict } from './run.ts';

/** The maximum share of honest files without a verified output. */
export const maxUnverifiedShare = 0.03;

/** The statistics of a run, then each trick that left something. */
export function report(verdicts: readonly Verdict[]): string[] {
  const verified = verdicts.filter((one) => one.verified);
  const honest = verdicts.filter((one) => one.honest);
  const unverified = honest.filter((one) => !one.verified);
  const leaking = verdicts.filter(({ leaks: left }) => left.length > 0);
  const checked = verified.filter(({ readInSource: seen }) => seen !== null);
  const sum = (of: (one: Verdict) => number): number =>
    checked.reduce((total, one) => total + of(one), 0);
  const share = honest.length === 0 ? 0 : (100 * unverified.length) / honest.length;
  return [
    `${verdicts.length} files · ${verified.length} verified · ${verdicts.length - verified.length} unverified, of which honest ${unverified.length} of ${honest.length} (${share.toFixed(1)} %)`,
    `the judge reads ${sum(({ readInSource: seen }) => seen ?? 0)} of ${sum(({ planted }) => planted)} planted values in the sources of ${checked.length} verified files`,
    `verified files in which the judge reads a planted value: ${leaking.length}`,
    ...verdicts.flatMap(({ at, trick, fault }) =>
      fault ? [`the judge could not look at file ${at}, ${trick}: ${fault}`] : [],
    ),
    ...formatTable(verdicts),
  ];
}

/**
 * Each trick with its statistics, worst first; those that left nothing and were verified are
 * summarised.
 */
function formatTable(verdicts: readonly Verdict[]): string[] {
  const byTrick = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const name = `${verdict.trick}${verdict.honest ? ' (honest)' : ''}`;
    byTrick.set(name, [...(byTrick.get(name) ?? []), verdict]);
  }
  const rows = [...byTrick].map(([trick, trickVerdicts]) => ({
    trick,
    files: trickVerdicts.length,
    verified: trickVerdicts.filter((one) => one.verified).length,
    leaking: trickVerdicts.filter(({ leaks: left }) => left.length > 0).length,
    unseen: trickVerdicts.some(({ readInSource: seen }) => seen === 0),
  }));
  const notable = rows.filter((row) => row.leaking > 0 || row.verified < row.files || row.unseen);
  notable.sort((a, b) => b.leaking - a.leaking || a.trick.localeCompare(b.trick));
  return [
    ...notable.map(
      (row) =>
        `${row.trick}: ${row.files} files, ${row.verified} verified, ${row.leaking} leaking${row.unseen ? ', the judge sees nothing in the source' : ''}`,
    ),
    `${rows.length - notable.length} other kinds: all verified, none leaking`,
  ];
}

/** Describes what was left in a file, without the values. */
export function describe({ at, trick, honest, leaks: left }: Verdict): string {
  const seen = left.map(
    ({ secret, by, isWhole }) =>
      `${secret.type} (${secret.channel}) ${isWhole ? 'whole' : 'in part'} by ${by}`,
  );
  return `file ${at}, ${trick}${honest ? ', honest' : ''}: ${[...new Set(seen)].join('; ')}`;
}
