import { median } from '../figures.ts';
import type { Arm, Verdict } from './arms.ts';

const names: Record<Arm, string> = {
  given: 'values given by patterns',
  detected: 'detection alone',
};

/** Prints the result of an arm, with every file that fell short; returns whether it passes. */
export function report(
  arm: Arm,
  verdicts: readonly Verdict[],
  processes: number,
  wall: number,
): boolean {
  const printRatio = (text: string): void => console.log(`ratio ${names[arm]}: ${text}`);
  const leakCount = printLeaks(verdicts);
  const wronglyVerified = verdicts.filter(
    (verdict) => verdict.redacted.verified && verdict.leaks.length > 0,
  );
  const secrets = sum(verdicts, ({ file }) => file.secrets.length);
  printRatio(
    `${leakCount} of ${secrets} secrets left, ${wronglyVerified.length} files called verified that are not`,
  );
  const withoutOutput = verdicts.filter(({ redacted }) => redacted.path === null);
  for (const { file, redacted } of withoutOutput) {
    console.log(
      `  no output ${file.name}: ${redacted.refusal} ${redacted.failedChecks.join('; ')}`,
    );
  }
  const missed = printMissed(verdicts);
  const empty = sum(verdicts, ({ pages }) => pages.empty);
  printRatio(
    `${missed} secrets not found, ${withoutOutput.length} files without output, ${empty} pages empty`,
  );
  printPages(verdicts);
  if (arm === 'given') printLost(verdicts);
  const expectedLetters = sum(verdicts, ({ letters }) => letters.expected);
  const keptLetters = sum(verdicts, ({ letters }) => letters.kept);
  printRatio(
    `${share(keptLetters, expectedLetters)} of ${expectedLetters} other letters kept on pages not burned`,
  );
  const unburnable = verdicts.filter(
    ({ file, redacted }) => !file.mayBurn && redacted.path !== null,
  );
  const burned = sum(unburnable, ({ pages }) => pages.burned);
  printRatio(
    `${share(
      burned,
      sum(unburnable, ({ pages }) => pages.all),
    )} of pages burned needlessly`,
  );
  printSizes(printRatio, 'without burned pages', (verdict) => verdict.pages.burned === 0, verdicts);
  printSizes(printRatio, 'with burned pages', (verdict) => verdict.pages.burned > 0, verdicts);
  const busySeconds = sum(verdicts, ({ seconds }) => seconds) / processes;
  const pages = sum(verdicts, (verdict) => verdict.pages.all);
  printRatio(
    `${(pages / busySeconds).toFixed(2)} pages a second by ${processes} processes (${wall.toFixed(0)} s with judges)`,
  );
  // Without outputs, nothing can be left.
  return (
    leakCount === 0 &&
    wronglyVerified.length === 0 &&
    withoutOutput.length <= verdicts.length * 0.05
  );
}

function printLeaks(verdicts: readonly Verdict[]): number {
  let count = 0;
  for (const { file, leaks: left } of verdicts) {
    for (const secret of new Set(left.map((leak) => leak.secret))) {
      const leaks = left.filter((leak) => leak.secret === secret);
      const by = [...new Set(leaks.map((leak) => leak.by))].join(', ');
      const seen = leaks[0]?.seen;
      console.log(`  LEFT ${file.name}: ${secret.channel}: “${secret.value}”: ${seen} by ${by}`);
      count += 1;
    }
  }
  return count;
}

function printMissed(verdicts: readonly Verdict[]): number {
  for (const { file, missed } of verdicts) {
    for (const { channel, type, value } of missed) {
      console.log(`  not found ${file.name}: ${channel}: ${type} “${value}”`);
    }
  }
  return sum(verdicts, ({ missed }) => missed.length);
}

function printPages(verdicts: readonly Verdict[]): void {
  for (const { file, redacted } of verdicts) {
    for (const { page, treatment, reason } of redacted.report?.pages ?? []) {
      const burned = treatment === 'burned' && !file.mayBurn;
      if (!burned && treatment !== 'empty') continue;
      const why = treatment === 'empty' ? redacted.failedChecks.join('; ') : '';
      console.log(`  ${treatment} ${file.name}, page ${page}: ${reason} ${why}`);
    }
  }
}

function printSizes(
  print: (text: string) => void,
  title: string,
  isIncluded: (verdict: Verdict) => boolean,
  verdicts: readonly Verdict[],
): void {
  const growths = verdicts
    .filter(isIncluded)
    .flatMap(({ growth, file }) => (growth === null ? [] : [{ growth, name: file.name }]));
  if (growths.length === 0) return;
  const worst = growths.reduce((a, b) => (a.growth > b.growth ? a : b));
  const medianGrowth = median(growths.map(({ growth }) => growth));
  print(
    `size of files ${title}: median ${medianGrowth.toFixed(2)}, max ${worst.growth.toFixed(2)} (${worst.name})`,
  );
}

function printLost(verdicts: readonly Verdict[]): void {
  for (const { file, letters } of verdicts) {
    const lost = letters.expected - letters.kept;
    if (lost > 0) console.log(`  lost ${file.name}: ${lost} of ${letters.expected} letters`);
  }
}

const share = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
