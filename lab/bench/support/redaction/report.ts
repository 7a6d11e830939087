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
  const say = (text: string): void => console.log(`ratio ${names[arm]}: ${text}`);
  const left = tellLeaks(verdicts);
  const lying = verdicts.filter((verdict) => verdict.redacted.verified && verdict.left.length > 0);
  const secrets = sum(verdicts, ({ file }) => file.secrets.length);
  say(`${left} of ${secrets} secrets left, ${lying.length} files called verified that are not`);
  const refused = verdicts.filter(({ redacted }) => redacted.path === null);
  for (const { file, redacted } of refused) {
    console.log(
      `  no output ${file.name}: ${redacted.refusal} ${redacted.failedChecks.join('; ')}`,
    );
  }
  const missed = tellMissed(verdicts);
  const empty = sum(verdicts, ({ pages }) => pages.empty);
  say(`${missed} secrets not found, ${refused.length} files without output, ${empty} pages empty`);
  tellPages(verdicts);
  if (arm === 'given') tellLost(verdicts);
  const wanted = sum(verdicts, ({ letters }) => letters.wanted);
  const kept = sum(verdicts, ({ letters }) => letters.kept);
  say(`${share(kept, wanted)} of ${wanted} other letters kept on pages not burned`);
  const clear = verdicts.filter(({ file, redacted }) => !file.mayBurn && redacted.path !== null);
  const burned = sum(clear, ({ pages }) => pages.burned);
  say(
    `${share(
      burned,
      sum(clear, ({ pages }) => pages.all),
    )} of pages burned needlessly`,
  );
  tellSizes(say, 'without burned pages', (verdict) => verdict.pages.burned === 0, verdicts);
  tellSizes(say, 'with burned pages', (verdict) => verdict.pages.burned > 0, verdicts);
  const busy = sum(verdicts, ({ seconds }) => seconds) / processes;
  const pages = sum(verdicts, (verdict) => verdict.pages.all);
  say(
    `${(pages / busy).toFixed(2)} pages a second by ${processes} processes (${wall.toFixed(0)} s with judges)`,
  );
  // Without outputs, nothing can be left.
  return left === 0 && lying.length === 0 && refused.length <= verdicts.length * 0.05;
}

function tellLeaks(verdicts: readonly Verdict[]): number {
  let count = 0;
  for (const { file, left } of verdicts) {
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

function tellMissed(verdicts: readonly Verdict[]): number {
  for (const { file, missed } of verdicts) {
    for (const { channel, type, value } of missed) {
      console.log(`  not found ${file.name}: ${channel}: ${type} “${value}”`);
    }
  }
  return sum(verdicts, ({ missed }) => missed.length);
}

function tellPages(verdicts: readonly Verdict[]): void {
  for (const { file, redacted } of verdicts) {
    for (const { page, treatment, reason } of redacted.report?.pages ?? []) {
      const burned = treatment === 'burned' && !file.mayBurn;
      if (!burned && treatment !== 'empty') continue;
      const why = treatment === 'empty' ? redacted.failedChecks.join('; ') : '';
      console.log(`  ${treatment} ${file.name}, page ${page}: ${reason} ${why}`);
    }
  }
}

function tellSizes(
  say: (text: string) => void,
  which: string,
  wanted: (verdict: Verdict) => boolean,
  verdicts: readonly Verdict[],
): void {
  const grown = verdicts
    .filter(wanted)
    .flatMap(({ growth, file }) => (growth === null ? [] : [{ growth, name: file.name }]));
  if (grown.length === 0) return;
  const worst = grown.reduce((a, b) => (a.growth > b.growth ? a : b));
  const middle = median(grown.map(({ growth }) => growth));
  say(
    `size of files ${which}: median ${middle.toFixed(2)}, max ${worst.growth.toFixed(2)} (${worst.name})`,
  );
}

function tellLost(verdicts: readonly Verdict[]): void {
  for (const { file, letters } of verdicts) {
    const lost = letters.wanted - letters.kept;
    if (lost > 0) console.log(`  lost ${file.name}: ${lost} of ${letters.wanted} letters`);
  }
}

const share = (of: number, to: number): string => `${((100 * of) / Math.max(1, to)).toFixed(2)} %`;

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
