/**
 * Recall and precision of people, organisations and places in text that people annotated or wrote:
 * the corpora in the folder `NER`, and `lab/training/pii/written`.
 *
 *   npx tsx lab/bench/pii-real.ts [names of corpora and writers…]
 *
 * A mark is found if a finding of its type overlaps it. `LIMIT` is the number of passages of each
 * (600), `MIN_CONFIDENCE` the minimum confidence of findings (0.4), `SPANS=20` shows errors.
 */
import { createDetector } from '@scriptorium/pii';
import { taggedTypes } from '@scriptorium/pii/tagger/labels';
import { joinedSamples, readCorpora } from '../training/pii/corpora.ts';
import { Random } from '../training/pii/random.ts';
import type { Sample } from '../training/pii/sample.ts';
import { writers, writtenBy } from '../training/pii/written.ts';

const wanted = process.argv.slice(2);
const limit = Number(process.env.LIMIT ?? 600);
const shown = Number(process.env.SPANS ?? 0);
const detect = createDetector({
  entities: 'all',
  minConfidence: Number(process.env.MIN_CONFIDENCE ?? 0.4),
  customPatterns: [],
  allowList: [],
});

const sets: [string, Sample[]][] = [];
if (process.env.NER) {
  for (const { name, sentences } of readCorpora(process.env.NER)) {
    sets.push([name, joinedSamples(new Random(1), sentences)]);
  }
} else console.log('SKIPPED: NER is not the folder of the corpora');
for (const writer of writers) sets.push([writer, writtenBy(writer)]);

const types = ['PERSON', 'ORGANIZATION', 'LOCATION', 'ADDRESS', 'TITLE', 'NRP'] as const;
console.log(
  `${''.padEnd(20)}${types.map((type) => `${type.slice(0, 8)} R P F1`.padEnd(22)).join('')} not marked, people whole`,
);
for (const [name, samples] of sets) {
  if (wanted.length === 0 ? name === 'w10' : !wanted.includes(name)) continue;
  const counts = new Map(types.map((type) => [type, { gold: 0, hit: 0, found: 0, right: 0 }]));
  const errors: string[] = [];
  let [words, covered, people, whole] = [0, 0, 0, 0];
  const step = Math.max(1, samples.length / limit);
  for (let at = 0; at < samples.length; at += step) {
    const { value, marks } = samples[Math.floor(at)]!;
    const findings = detect(value);
    const overlaps = (a: { start: number; end: number }) => (b: { start: number; end: number }) =>
      a.start < b.end && b.start < a.end;
    for (const type of types) {
      const count = counts.get(type)!;
      for (const mark of marks) {
        if (mark.types.length > 1 || mark.types[0] !== type) continue;
        count.gold += 1;
        if (type === 'PERSON') {
          people += 1;
          const near = findings.filter(overlaps(mark));
          const isWhole = [...value.slice(mark.start, mark.end).matchAll(/[\p{L}\p{N}]/gu)].every(
            ({ index }) =>
              near.some(
                ({ start, end }) => start <= mark.start + index && mark.start + index < end,
              ),
          );
          if (isWhole) whole += 1;
        }
        if (findings.some((one) => one.type === type && overlaps(mark)(one))) count.hit += 1;
        else if (type === 'PERSON')
          errors.push(
            `missed ${value.slice(mark.start, mark.end)} in ${JSON.stringify(value.slice(Math.max(0, mark.start - 40), mark.end + 40))}`,
          );
      }
      for (const one of findings) {
        if (one.type !== type) continue;
        const near = marks.filter(overlaps(one));
        const isRight = near.some((mark) => mark.types.length === 1 && mark.types[0] === type);
        if (!isRight && near.some((mark) => mark.types.length > 1 && mark.types.includes(type)))
          continue;
        count.found += 1;
        if (isRight) count.right += 1;
        else if (type === 'PERSON')
          errors.push(
            `false ${value.slice(one.start, one.end)} in ${JSON.stringify(value.slice(Math.max(0, one.start - 40), one.end + 40))}`,
          );
      }
    }
    for (const { index, 0: word } of value.matchAll(/[\p{L}\p{N}]+/gu)) {
      const place = { start: index, end: index + word.length };
      if (marks.some(overlaps(place))) continue;
      words += 1;
      if (
        findings.some(
          (one) => taggedTypes.some((type) => type === one.type) && overlaps(place)(one),
        )
      )
        covered += 1;
    }
  }
  const cells = types.map((type) => {
    const { gold, hit, found, right } = counts.get(type)!;
    const [recall, precision] = [hit / Math.max(1, gold), right / Math.max(1, found)];
    const f1 = (2 * recall * precision) / Math.max(1e-9, recall + precision);
    return `${[recall, precision, f1].map((share) => share.toFixed(3)).join(' ')}`.padEnd(22);
  });
  console.log(
    `${name.padEnd(20)}${cells.join('')} ${((100 * covered) / Math.max(1, words)).toFixed(2)} %  ${(whole / Math.max(1, people)).toFixed(3)}`,
  );
  const stride = Math.max(1, Math.floor(errors.length / shown));
  if (shown > 0)
    for (let at = 0; at < errors.length; at += stride) console.log(`    ${errors[at]}`);
}
