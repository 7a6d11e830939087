import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import {
  type Features,
  featureNames,
  featuresOf,
  hashedRows,
} from '@scriptorium/documents/classify/features';
import { sumEvidence } from '@scriptorium/documents/classify/regression';
import { softmax } from '@scriptorium/documents/classify/scores';
import type { Weights } from '@scriptorium/documents/classify/weights';
import type { Random } from '../pii/random.ts';
import type { Example } from './generate.ts';

const labelCount = documentLabelNames.length;

export type TrainingExample = { label: number; features: Features };

export const trainingExampleOf = ({ label, view }: Example): TrainingExample => ({
  label: documentLabelNames.indexOf(label),
  features: featuresOf(view),
});

export function emptyWeights(): Weights {
  return {
    temperature: 1,
    biases: new Float64Array(labelCount),
    named: new Float64Array(featureNames.length * labelCount),
    hashed: new Float64Array(hashedRows * labelCount),
  };
}

/** Label smoothing: keeps the sums small and the scores meaningful. */
const smoothing = 0.03;
/**
 * How often named features, or all hashed features of a page, are dropped, so that none is
 * decisive.
 */
const namedDropRate = 0.15;
const titleDropRate = 0.35;
const hashedDropRate = 0.25;
const decay = { named: 1e-4, hashed: 5e-5 };

/** Multinomial logistic regression, by stochastic gradient descent with AdaGrad. */
export function trainWeights(
  examples: readonly TrainingExample[],
  random: Random,
  rounds: number,
): Weights {
  const weights = emptyWeights();
  const squaredGradients = {
    named: new Float64Array(weights.named.length).fill(0.1),
    hashed: new Float64Array(weights.hashed.length).fill(0.1),
    biases: new Float64Array(labelCount).fill(1),
  };
  const isTitleFeature = featureNames.map(
    (name) => name.startsWith('title:') || name.startsWith('mention:'),
  );
  const order = examples.map((_, index) => index);
  for (let round = 0; round < rounds; round++) {
    const rate = 0.25 * (1 - round / rounds) + 0.02;
    for (let index = order.length - 1; index > 0; index--) {
      const at = random.int(0, index);
      [order[index], order[at]] = [order[at]!, order[index]!];
    }
    for (const index of order) {
      const { label, features } = examples[index]!;
      const dropTitles = random.chance(titleDropRate);
      const named = features.named.map((value, feature) =>
        value === 0 || (dropTitles && isTitleFeature[feature]) || random.chance(namedDropRate)
          ? 0
          : value,
      );
      const dropHashed = random.chance(hashedDropRate);
      const visibleFeatures: Features = dropHashed
        ? { ...features, named, rows: new Int32Array(0), values: new Float64Array(0) }
        : { ...features, named };
      const scores = softmax(sumEvidence(visibleFeatures, weights), 1);
      const errors = scores.map(
        (score, at) => score - (at === label ? 1 - smoothing : smoothing / (labelCount - 1)),
      );
      const step = (table: Float64Array, squares: Float64Array, at: number, gradient: number) => {
        squares[at]! += gradient * gradient;
        table[at]! -= (rate * gradient) / Math.sqrt(squares[at]!);
      };
      for (let at = 0; at < labelCount; at++)
        step(weights.biases, squaredGradients.biases, at, errors[at]!);
      named.forEach((value, feature) => {
        if (value === 0) return;
        for (let at = 0; at < labelCount; at++) {
          const place = feature * labelCount + at;
          const gradient = errors[at]! * value + decay.named * weights.named[place]!;
          step(weights.named, squaredGradients.named, place, gradient);
        }
      });
      visibleFeatures.rows.forEach((row, at) => {
        const value = visibleFeatures.values[at]!;
        for (let of = 0; of < labelCount; of++) {
          const place = row * labelCount + of;
          const gradient = errors[of]! * value + decay.hashed * weights.hashed[place]!;
          step(weights.hashed, squaredGradients.hashed, place, gradient);
        }
      });
    }
  }
  return weights;
}

/** Lessons with half of their features removed, because pages with unseen layouts lack them. */
export function withDroppedFeatures(
  examples: readonly TrainingExample[],
  random: Random,
): TrainingExample[] {
  return examples.map(({ label, features }) => {
    const named = features.named.map((value) => (random.chance(1 / 2) ? 0 : value));
    return { label, features: { ...features, named } };
  });
}

/** The temperature that maximises the likelihood of the lessons. */
export function calibrate(examples: readonly TrainingExample[], weights: Weights): number {
  const logits = examples.map(({ features }) => sumEvidence(features, weights));
  let best = { temperature: 1, loss: Number.POSITIVE_INFINITY };
  for (let temperature = 0.4; temperature < 4; temperature *= 1.04) {
    let loss = 0;
    examples.forEach(({ label }, index) => {
      loss -= Math.log(Math.max(1e-9, softmax(logits[index]!, temperature)[label]!));
    });
    if (loss < best.loss) best = { temperature, loss };
  }
  return best.temperature;
}
