/**
 * Quality of finding people, places and other entities in Presidio's synthetic data.
 *
 * npx tsx lab/bench/pii-score.ts <synth_dev.json> [errors]
 *
 * Spans are scored as in presidio-evaluator (beta 2): adjacent spans merged, types ignored, skip
 * words trimmed, and matched at a character IoU of 0.9 or 0.7. The same is computed with types, and
 * per token and type. `errors` prints missed entities and false positives.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createDetector } from '@scriptorium/pii';
import { createTagger } from '@scriptorium/pii/tagger';
import { numberFromEnv } from '../number-options.ts';
import { type Mark, mergeMarks, type Sample, tokensOf } from './support/pii/spans.ts';

const presidioTypes: Record<string, string> = {
  GPE: 'LOCATION',
  STREET_ADDRESS: 'ADDRESS',
  ZIP_CODE: 'ADDRESS',
  DOMAIN_NAME: 'URL',
  US_DRIVER_LICENSE: 'DRIVER_LICENSE',
};

function readSamples(file: string): Sample[] {
  const data: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(data)) throw new Error('The data must be a JSON array.');
  return data.map((sample: { full_text: string; spans: Record<string, string & number>[] }) => ({
    text: sample.full_text,
    marks: sample.spans
      .map((span) => ({
        type: presidioTypes[span.entity_type!] ?? String(span.entity_type),
        start: Number(span.start_position),
        end: Number(span.end_position),
      }))
      .sort((a, b) => a.start - b.start),
  }));
}

function iou(mark: Mark, others: readonly Mark[]): number {
  const intersection = others.reduce(
    (sum, other) =>
      sum + Math.max(0, Math.min(mark.end, other.end) - Math.max(mark.start, other.start)),
    0,
  );
  const all = others.reduce((sum, other) => sum + other.end - other.start, 0);
  return intersection / (mark.end - mark.start + all - intersection);
}

class Score {
  found = 0;
  predicted = 0;
  annotated = 0;

  format(): string {
    const precision = this.found / Math.max(1, this.predicted);
    const recall = this.found / Math.max(1, this.annotated);
    const f2 = (5 * precision * recall) / Math.max(1e-9, 4 * precision + recall);
    const figures = [precision, recall, f2].map((value) => value.toFixed(3)).join('  ');
    return `${figures}  (${this.found} of ${this.annotated})`;
  }
}

/** Counts matched annotations. Each prediction is used once; several can match one annotation. */
function countMatches(
  score: Score,
  gold: readonly Mark[],
  predicted: readonly Mark[],
  minIou: number,
) {
  const used = new Set<Mark>();
  const missed: Mark[] = [];
  for (const mark of gold) {
    let chosen: Mark[] = [];
    for (const other of predicted) {
      if (used.has(other) || other.end <= mark.start || other.start >= mark.end) continue;
      if (iou(mark, [...chosen, other]) > iou(mark, chosen)) chosen = [...chosen, other];
    }
    score.annotated++;
    if (chosen.length > 0 && iou(mark, chosen) >= minIou) {
      score.found++;
      score.predicted++;
      for (const other of chosen) used.add(other);
    } else missed.push(mark);
  }
  const extra = predicted.filter((other) => !used.has(other));
  score.predicted += extra.length;
  return { missed, extra };
}

const [file, errors] = process.argv.slice(2);
if (!file || !existsSync(file)) {
  console.log('SKIPPED: the first argument must be the file synth_dev.json');
  process.exit(0);
}
const samples = readSamples(file);
const detector = createDetector({
  entities: 'all',
  minConfidence: numberFromEnv('MIN_CONFIDENCE', 0.5),
  customPatterns: [],
  allowList: [],
});
const predictions = samples.map(({ text }): Mark[] => detector(text));

for (const minIou of [0.9, 0.7]) {
  const score = new Score();
  for (const [at, { text, marks }] of samples.entries()) {
    const gold = mergeMarks(text, marks, false);
    const result = countMatches(score, gold, mergeMarks(text, predictions[at]!, false), minIou);
    if (errors && minIou === 0.7 && result.missed.length + result.extra.length > 0) {
      const show = (list: readonly Mark[]) =>
        list.map(({ type, start, end }) => `${type} ${JSON.stringify(text.slice(start, end))}`);
      console.log(
        JSON.stringify(text),
        '\n   missed:',
        ...show(result.missed),
        '\n   extra:',
        ...show(result.extra),
      );
    }
  }
  console.log(`spans, types aside, IoU ${minIou}: P R F2 ${score.format()}`);
}
for (const minIou of [0.9, 0.7]) {
  const score = new Score();
  const byType = new Map<string, Score>();
  for (const [at, { text, marks }] of samples.entries()) {
    const gold = mergeMarks(text, marks, true);
    const found = mergeMarks(text, predictions[at]!, true);
    for (const type of new Set([...gold, ...found].map((mark) => mark.type))) {
      const typeScore = byType.get(type) ?? new Score();
      byType.set(type, typeScore);
      const isOfType = (mark: Mark) => mark.type === type;
      for (const counted of [score, typeScore])
        countMatches(counted, gold.filter(isOfType), found.filter(isOfType), minIou);
    }
  }
  console.log(`spans with types, IoU ${minIou}: P R F2 ${score.format()}`);
  if (minIou === 0.9) {
    for (const [type, typeScore] of [...byType].sort())
      console.log(`  ${type.padEnd(16)} ${typeScore.format()}`);
  }
}
const all = new Score();
const byType = new Map<string, Score>();
for (const [at, { text, marks }] of samples.entries()) {
  for (const token of tokensOf(text)) {
    const covers = (mark: Mark) => mark.start < token.end && mark.end > token.start;
    const gold = marks.find(covers)?.type;
    const found = predictions[at]!.find(covers)?.type;
    if (gold) all.annotated++;
    if (found) all.predicted++;
    if (gold && found) all.found++;
    for (const type of new Set([gold, found])) {
      if (!type) continue;
      const typeScore = byType.get(type) ?? new Score();
      byType.set(type, typeScore);
      if (gold === type) typeScore.annotated++;
      if (found === type) typeScore.predicted++;
      if (gold === type && found === type) typeScore.found++;
    }
  }
}
console.log(`tokens, types aside: P R F2 ${all.format()}`);
for (const [type, typeScore] of [...byType].sort())
  console.log(`  ${type.padEnd(16)} ${typeScore.format()}`);

const text = samples
  .map((sample) => sample.text)
  .join('\n\n')
  .repeat(20);
for (const [name, find] of [
  ['detector', detector],
  ['tagger alone', createTagger()],
] as const) {
  find(text);
  const began = process.cpuUsage();
  find(text);
  const used = process.cpuUsage(began);
  const speed = text.length / ((used.user + used.system) / 1e6);
  console.log(`${name}: ${Math.round(speed)} characters per CPU-second`);
}
