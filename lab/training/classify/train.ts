/**
 * Trains the classifier on generated documents and writes its weights. The same seed gives the same
 * weights with the same versions of Node and of the packages.
 *
 *   script/train-classifier [pages] [seed]
 */
import { writeFileSync } from 'node:fs';
import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import { classifyFeatures } from '@scriptorium/documents/classify/regression';
import { readWeights, type Weights, writeWeights } from '@scriptorium/documents/classify/weights';
import { Random } from '../pii/random.ts';
import { type Example, makePages } from './generate.ts';
import { calibrate, learn, lessonOf, worn } from './learn.ts';
import { calibrationError, f1Of, type Guess, macroF1 } from './score.ts';

const pages = Number(process.argv[2] ?? 8_000);
const seed = Number(process.argv[3] ?? 1);
const rounds = 6;

/**
 * Real pages differ more from the training data than `kept` templates do, so scores are reduced.
 */
const minTemperature = 0.75;

const make = (count: number, split: 'learned' | 'kept' | 'all', from: number) =>
  [...makePages(new Random(from), count, split)].map((example: Example) => lessonOf(example));

function guesses(lessons: ReturnType<typeof make>, weights: Weights): Guess[] {
  return lessons.map(({ label, features }) => {
    const first = classifyFeatures(features, weights).labels[0]!;
    return { label: documentLabelNames[label]!, guessed: first.label, score: first.score };
  });
}

// `kept` templates set the temperature and measure the quality; the shipped weights are trained on
// all templates.
const kept = make(3_000, 'kept', seed + 1_000);
const apart = learn(make(pages, 'learned', seed), new Random(seed), rounds);
apart.temperature = Math.max(minTemperature, calibrate(worn(kept, new Random(seed)), apart));
const told = guesses(kept, apart);
console.log(
  `kept templates: macro-F1 ${macroF1(told).toFixed(4)}, calibration error ${calibrationError(told).toFixed(4)}, temperature ${apart.temperature.toFixed(2)}`,
);
for (const name of documentLabelNames) {
  const missed = told.filter(({ label, guessed }) => label === name && guessed !== name);
  const as = documentLabelNames
    .map((to) => [to, missed.filter(({ guessed }) => guessed === to).length] as const)
    .filter(([, count]) => count > 0);
  console.log(
    `  ${name.padEnd(18)} ${f1Of(name, told).toFixed(3)}  ${as.map(([to, count]) => `${to} ${count}`).join(', ')}`,
  );
}

const weights = learn(make(pages, 'all', seed + 1), new Random(seed), rounds);
weights.temperature = apart.temperature;
const bytes = writeWeights(weights);
readWeights(bytes);
const file =
  process.env.OUT ??
  new URL('../../../packages/documents/src/classify/weights.bin', import.meta.url);
writeFileSync(file, bytes);
console.log(`${bytes.length} bytes written`);
