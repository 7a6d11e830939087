import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import {
  type Features,
  featureNames,
  featuresOf,
  hashedRows,
} from '@scriptorium/documents/classify/features';
import { sums } from '@scriptorium/documents/classify/regression';
import { softmax } from '@scriptorium/documents/classify/scores';
import type { Weights } from '@scriptorium/documents/classify/weights';
import type { Random } from '../pii/random.ts';
import type { Example } from './generate.ts';

const LABELS = documentLabelNames.length;

export type Lesson = { label: number; features: Features };

export const lessonOf = ({ label, view }: Example): Lesson => ({
  label: documentLabelNames.indexOf(label),
  features: featuresOf(view),
});

export function emptyWeights(): Weights {
  return {
    temperature: 1,
    biases: new Float64Array(LABELS),
    named: new Float64Array(featureNames.length * LABELS),
    hashed: new Float64Array(hashedRows * LABELS),
  };
}

/** Label smoothing: keeps the sums small and the scores meaningful. */
const smoothing = 0.03;
/**
 * How often named features, or all hashed features of a page, are dropped, so that none is
 * decisive.
 */
const leaveNamed = 0.15;
const leaveTitles = 0.35;
const leaveHashed = 0.25;
const decay = { named: 1e-4, hashed: 5e-5 };

/** Multinomial logistic regression, by stochastic gradient descent with AdaGrad. */
export function learn(lessons: readonly Lesson[], random: Random, rounds: number): Weights {
  const weights = emptyWeights();
  const seen = {
    named: new Float64Array(weights.named.length).fill(0.1),
    hashed: new Float64Array(weights.hashed.length).fill(0.1),
    biases: new Float64Array(LABELS).fill(1),
  };
  const titles = featureNames.map(
    (name) => name.startsWith('title:') || name.startsWith('mention:'),
  );
  const order = lessons.map((_, index) => index);
  for (let round = 0; round < rounds; round++) {
    const rate = 0.25 * (1 - round / rounds) + 0.02;
    for (let index = order.length - 1; index > 0; index--) {
      const at = random.int(0, index);
      [order[index], order[at]] = [order[at]!, order[index]!];
    }
    for (const index of order) {
      const { label, features } = lessons[index]!;
      const noTitles = random.chance(leaveTitles);
      const named = features.named.map((value, feature) =>
        value === 0 || (noTitles && titles[feature]) || random.chance(leaveNamed) ? 0 : value,
      );
      const noHashed = random.chance(leaveHashed);
      const shown: Features = noHashed
        ? { ...features, named, rows: new Int32Array(0), values: new Float64Array(0) }
        : { ...features, named };
      const scores = softmax(sums(shown, weights), 1);
      const errors = scores.map(
        (score, at) => score - (at === label ? 1 - smoothing : smoothing / (LABELS - 1)),
      );
      const step = (table: Float64Array, squares: Float64Array, at: number, gradient: number) => {
        squares[at]! += gradient * gradient;
        table[at]! -= (rate * gradient) / Math.sqrt(squares[at]!);
      };
      for (let at = 0; at < LABELS; at++) step(weights.biases, seen.biases, at, errors[at]!);
      named.forEach((value, feature) => {
        if (value === 0) return;
        for (let at = 0; at < LABELS; at++) {
          const place = feature * LABELS + at;
          const gradient = errors[at]! * value + decay.named * weights.named[place]!;
          step(weights.named, seen.named, place, gradient);
        }
      });
      shown.rows.forEach((row, at) => {
        const value = shown.values[at]!;
        for (let of = 0; of < LABELS; of++) {
          const place = row * LABELS + of;
          const gradient = errors[of]! * value + decay.hashed * weights.hashed[place]!;
          step(weights.hashed, seen.hashed, place, gradient);
        }
      });
    }
  }
  return weights;
}

/** Lessons with half of their features removed, because pages with unseen layouts lack them. */
export function worn(lessons: readonly Lesson[], random: Random): Lesson[] {
  return lessons.map(({ label, features }) => {
    const named = features.named.map((value) => (random.chance(1 / 2) ? 0 : value));
    return { label, features: { ...features, named } };
  });
}

/** The temperature that maximises the likelihood of the lessons. */
export function calibrate(lessons: readonly Lesson[], weights: Weights): number {
  const totals = lessons.map(({ features }) => sums(features, weights));
  let best = { temperature: 1, loss: Number.POSITIVE_INFINITY };
  for (let temperature = 0.4; temperature < 4; temperature *= 1.04) {
    let loss = 0;
    lessons.forEach(({ label }, index) => {
      loss -= Math.log(Math.max(1e-9, softmax(totals[index]!, temperature)[label]!));
    });
    if (loss < best.loss) best = { temperature, loss };
  }
  return best.temperature;
}
