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
import { readInteger } from '../../number-options.ts';
import { Random } from '../pii/random.ts';
import { type Example, generatePages } from './generate.ts';
import { calibrate, trainingExampleOf, trainWeights, withDroppedFeatures } from './learn.ts';
import { calibrationError, f1Of, macroF1, type Prediction } from './score.ts';

const pages = readInteger('The number of pages', process.argv[2] ?? '8000');
const seed = readInteger('The seed', process.argv[3] ?? '1', 0);
const rounds = 6;

/**
 * Real pages differ more from the training data than `kept` templates do, so scores are reduced.
 */
const minTemperature = 0.75;

const generateExamples = (count: number, split: 'learned' | 'kept' | 'all', from: number) =>
  [...generatePages(new Random(from), count, split)].map((example: Example) =>
    trainingExampleOf(example),
  );

function predict(examples: ReturnType<typeof generateExamples>, weights: Weights): Prediction[] {
  return examples.map(({ label, features }) => {
    const first = classifyFeatures(features, weights).labels[0]!;
    return { label: documentLabelNames[label]!, predicted: first.label, score: first.score };
  });
}

// `kept` templates set the temperature and measure the quality; the shipped weights are trained on
// all templates.
const heldOut = generateExamples(3_000, 'kept', seed + 1_000);
const evaluationWeights = trainWeights(
  generateExamples(pages, 'learned', seed),
  new Random(seed),
  rounds,
);
evaluationWeights.temperature = Math.max(
  minTemperature,
  calibrate(withDroppedFeatures(heldOut, new Random(seed)), evaluationWeights),
);
const predictions = predict(heldOut, evaluationWeights);
console.log(
  `kept templates: macro-F1 ${macroF1(predictions).toFixed(4)}, calibration error ${calibrationError(predictions).toFixed(4)}, temperature ${evaluationWeights.temperature.toFixed(2)}`,
);
for (const name of documentLabelNames) {
  const missed = predictions.filter(
    ({ label, predicted: guessed }) => label === name && guessed !== name,
  );
  const confusions = documentLabelNames
    .map((to) => [to, missed.filter(({ predicted: guessed }) => guessed === to).length] as const)
    .filter(([, count]) => count > 0);
  console.log(
    `  ${name.padEnd(18)} ${f1Of(name, predictions).toFixed(3)}  ${confusions.map(([to, count]) => `${to} ${count}`).join(', ')}`,
  );
}

const weights = trainWeights(generateExamples(pages, 'all', seed + 1), new Random(seed), rounds);
weights.temperature = evaluationWeights.temperature;
const bytes = writeWeights(weights);
readWeights(bytes);
const file =
  process.env.OUT ??
  new URL('../../../packages/documents/src/classify/weights.bin', import.meta.url);
writeFileSync(file, bytes);
console.log(`${bytes.length} bytes written`);
