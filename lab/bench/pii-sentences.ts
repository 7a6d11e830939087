/**
 * Recall, precision and F2 in sentences with planted personal data, by overlap and types aside, and the
 * share of words found in sentences without any.
 *
 *   npx tsx lab/bench/pii-sentences.ts <sentences.json> <negatives.json>
 *
 * `MIN_CONFIDENCE` is the minimum confidence of findings (0.4).
 */
import { existsSync, readFileSync } from 'node:fs';
import { createDetector } from '@scriptorium/pii';

interface Planted {
  text: string;
  spans: { start: number; end: number; type: string; soft?: boolean }[];
}

const [sentences, negatives] = process.argv.slice(2).map((file): Planted[] => {
  if (!existsSync(file)) throw new Error(`The file ${file} does not exist.`);
  return JSON.parse(readFileSync(file, 'utf8'));
});
if (!sentences || !negatives) throw new Error('Two files are needed.');
const detect = createDetector({
  entities: 'all',
  minConfidence: Number(process.env.MIN_CONFIDENCE ?? 0.4),
  customPatterns: [],
  allowList: [],
});
const meets = (a: { start: number; end: number }) => (b: { start: number; end: number }) =>
  a.start < b.end && b.start < a.end;

let [marks, hit, whole, found, right] = [0, 0, 0, 0, 0];
const byType = new Map<string, { marks: number; hit: number }>();
for (const { text, spans } of sentences) {
  const findings = detect(text);
  for (const span of spans) {
    if (span.soft) continue;
    const near = findings.filter(meets(span));
    const own = byType.get(span.type) ?? { marks: 0, hit: 0 };
    byType.set(span.type, own);
    own.marks += 1;
    marks += 1;
    if (near.length > 0) {
      hit += 1;
      own.hit += 1;
    } else if (process.env.MISSED) console.log(`missed ${text.slice(span.start, span.end)}`);
    const letters = [...text.slice(span.start, span.end).matchAll(/[\p{L}\p{N}]/gu)];
    if (
      letters.every(({ index }) =>
        near.some(({ start, end }) => start <= span.start + index && span.start + index < end),
      )
    )
      whole += 1;
  }
  found += findings.length;
  right += findings.filter((one) => spans.some(meets(one))).length;
}
const [recall, precision] = [hit / marks, right / found];
const f2 = (5 * recall * precision) / (4 * precision + recall);
console.log(
  `sentences: recall ${recall.toFixed(3)} (whole ${(whole / marks).toFixed(3)}), precision ${precision.toFixed(3)}, F2 ${f2.toFixed(3)}`,
);
for (const [type, own] of byType) console.log(`  ${type.padEnd(20)} ${own.hit} of ${own.marks}`);

let [words, covered] = [0, 0];
for (const { text } of negatives) {
  const findings = detect(text);
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    words += 1;
    if (findings.some(meets({ start: index, end: index + word.length }))) covered += 1;
  }
}
console.log(`negatives: ${((100 * covered) / words).toFixed(2)} % of ${words} words`);
