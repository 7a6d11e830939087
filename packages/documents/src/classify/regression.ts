import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import type { PageClassification, Signal } from './calls.ts';
import { type Features, featureNames } from './features/features.ts';
import { classificationWithoutText, maxSignals, rankLabels, softmax } from './scores.ts';
import type { Weights } from './weights.ts';

const LABELS = documentLabelNames.length;

/** Returns the sum of the evidence for each label, before the softmax. */
export function sumEvidence(features: Features, weights: Weights): Float64Array {
  const totals = Float64Array.from(weights.biases);
  features.named.forEach((value, feature) => {
    if (value === 0) return;
    for (let label = 0; label < LABELS; label++) {
      totals[label]! += value * weights.named[feature * LABELS + label]!;
    }
  });
  features.rows.forEach((row, index) => {
    const value = features.values[index]!;
    for (let label = 0; label < LABELS; label++) {
      totals[label]! += value * weights.hashed[row * LABELS + label]!;
    }
  });
  return totals;
}

export function classifyFeatures(features: Features, weights: Weights): PageClassification {
  if (features.words === 0) return classificationWithoutText();
  // The temperature rises for pages of few words, because one or two words do not justify
  // confidence.
  const temperature = weights.temperature * (1 + 4 / features.words);
  const labels = rankLabels(softmax(sumEvidence(features, weights), temperature));
  const first = documentLabelNames.indexOf(labels[0]!.label);
  return { labels, signals: signalsFor(first, features, weights), words: features.words };
}

/**
 * Returns the strongest evidence for a label, relative to the mean of all labels. All hashed words
 * are reported as one signal, `wording`.
 */
function signalsFor(label: number, features: Features, weights: Weights): Signal[] {
  const evidenceOf = (table: Float64Array, row: number, value: number): number => {
    let sum = 0;
    for (let other = 0; other < LABELS; other++) sum += table[row * LABELS + other]!;
    return value * (table[row * LABELS + label]! - sum / LABELS);
  };
  let wording = 0;
  features.rows.forEach((row, index) => {
    wording += evidenceOf(weights.hashed, row, features.values[index]!);
  });
  const signals: Signal[] = [{ name: 'wording', weight: wording }];
  features.named.forEach((value, feature) => {
    if (value === 0) return;
    signals.push({
      name: featureNames[feature]!,
      weight: evidenceOf(weights.named, feature, value),
    });
  });
  return signals
    .filter(({ weight }) => weight >= 0.05)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxSignals)
    .map(({ name, weight }) => ({ name, weight: Math.round(weight * 100) / 100 }));
}
