/**
 * False positives of the tagger in text without names, its recall in letters, forms and lists, and
 * its recall of people in other languages.
 *
 * npx tsx lab/bench/pii-language.ts
 *
 * `MIN_CONFIDENCE` is the minimum confidence of findings (0.4). `SPANS=20` shows that many false
 * positives per kind of text, `MISSED=1` the missed entities. READMEs come from installed packages
 * and manual pages from the machine; companies and places named in them also count as false
 * positives.
 */

import { createDetector } from '@scriptorium/pii';
import { taggedTypes } from '@scriptorium/pii/tagger/labels';
import { integerFromEnv, numberFromEnv } from '../number-options.ts';
import { impersonal } from './support/pii/impersonal.ts';
import { manualPages, packageReadmes } from './support/pii/installed-texts.ts';
import {
  type FalseSpans,
  findFalseSpans,
  parseMarked,
  personF2,
  recallOf,
} from './support/pii/language.ts';
import { languages } from './support/pii/languages.ts';
import { personal } from './support/pii/personal.ts';

const detect = createDetector({
  entities: 'all',
  minConfidence: numberFromEnv('MIN_CONFIDENCE', 0.4),
  customPatterns: [],
  allowList: [],
});
const shownSpans = integerFromEnv('SPANS', 0, 0);

const perThousand = (spans: number, words: number) => ((1000 * spans) / words).toFixed(2);

function report(name: string, { words, spans, byType }: FalseSpans): void {
  const types = taggedTypes.map((type) => perThousand(byType.get(type) ?? 0, words).padStart(6));
  console.log(
    `${name.padEnd(12)} ${String(words).padStart(7)} ${perThousand(spans.length, words).padStart(7)} ${types.join(' ')}`,
  );
  for (const span of spans.slice(0, shownSpans)) console.log(`    ${JSON.stringify(span)}`);
}

console.log(
  `false spans per thousand words\n${''.padEnd(12)}   words     all ${taggedTypes.map((type) => type.slice(0, 6).padStart(6)).join(' ')}`,
);
const all: FalseSpans = { words: 0, spans: [], byType: new Map() };
for (const [kind, text] of Object.entries(impersonal)) {
  const result = findFalseSpans(detect, [text.trim()]);
  report(kind, result);
  all.words += result.words;
  all.spans.push(...result.spans);
  for (const [type, count] of result.byType) {
    all.byType.set(type, (all.byType.get(type) ?? 0) + count);
  }
}
report('together', { ...all, spans: all.spans.slice() });
const lines = Object.values(impersonal).flatMap((text) => text.trim().split('\n'));
report('by line', findFalseSpans(detect, lines));
report('READMEs', findFalseSpans(detect, packageReadmes()));
const manuals = manualPages(80);
if (manuals.length > 0) report('manuals', findFalseSpans(detect, manuals));
else console.log('SKIPPED: no manual pages found');

let [marks, covered, typed] = [0, 0, 0];
console.log(`\n${'found'.padEnd(12)}   marks covered   typed`);
for (const [kind, text] of Object.entries(personal)) {
  const result = recallOf(detect, text.trim().split('\n').map(parseMarked));
  marks += result.marks;
  covered += result.covered;
  typed += result.typed;
  const shares = [result.covered, result.typed].map((part) => (part / result.marks).toFixed(3));
  console.log(`${kind.padEnd(12)} ${String(result.marks).padStart(7)}   ${shares.join('   ')}`);
  if (process.env.MISSED) for (const missed of result.missed) console.log(`    ${missed}`);
}
console.log(
  `${'together'.padEnd(12)} ${String(marks).padStart(7)}   ${[covered, typed].map((part) => (part / marks).toFixed(3)).join('   ')}`,
);

console.log('\npeople      F2 at IoU 0.9   0.5');
for (const [language, text] of Object.entries(languages)) {
  const cases = text.trim().split('\n').map(parseMarked);
  const scores = [0.9, 0.5].map((min) => personF2(detect, cases, min).toFixed(3));
  console.log(`${language.padEnd(12)} ${scores.join('   ')}`);
}

/** By tenths of confidence: the number of findings, and how many of them overlap an annotation. */
const confidenceBands = Array.from({ length: 10 }, () => ({ all: 0, right: 0 }));
const cases = Object.values(personal).flatMap((text) => text.trim().split('\n').map(parseMarked));
for (const { text, marks } of [...cases, ...lines.map((text) => ({ text, marks: [] }))]) {
  for (const { type, start, end, score } of detect(text)) {
    if (!taggedTypes.some((tagged) => tagged === type)) continue;
    const band = confidenceBands[Math.min(9, Math.floor(score * 10))]!;
    band.all += 1;
    if (marks.some((mark) => mark.start < end && mark.end > start)) band.right += 1;
  }
}
console.log('\nconfidence   findings   right (both kinds of text, line by line)');
for (const [tenth, { all, right }] of confidenceBands.entries()) {
  if (all === 0) continue;
  console.log(
    `${(tenth / 10).toFixed(1)}–${((tenth + 1) / 10).toFixed(1)}   ${String(all).padStart(10)}   ${(right / all).toFixed(2)}`,
  );
}
