import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import type { LabelScore, PageClassification } from './calls.ts';

const LABELS = documentLabelNames.length;

export function softmax(totals: Float64Array, temperature: number): Float64Array {
  const max = Math.max(...totals);
  const powers = totals.map((total) => Math.exp((total - max) / temperature));
  const sum = powers.reduce((before, power) => before + power, 0);
  return powers.map((power) => power / sum);
}

/**
 * Returns the labels with their scores, highest first. Equal scores are in the order of the
 * registry.
 */
export function rankLabels(scores: ArrayLike<number>): LabelScore[] {
  return documentLabelNames
    .map((label, index) => ({ label, score: Math.round(scores[index]! * 1e4) / 1e4 }))
    .sort((a, b) => b.score - a.score);
}

/** The maximum number of reported signals. */
export const maxSignals = 5;

/** Returns the scores of a picture without words: all kinds but `other` are equally likely. */
export function classificationWithoutText(): PageClassification {
  const otherScore = 0.6 / (LABELS - 1);
  const scores = documentLabelNames.map((label) => (label === 'other' ? 0.4 : otherScore));
  return { labels: rankLabels(scores), signals: [{ name: 'no_text', weight: 1 }], words: 0 };
}
