import { documentLabelNames } from '@scriptorium/contracts/documents/labels';

/** The true label, the predicted label and its score. */
export type Prediction = { label: string; predicted: string; score: number };

/** Macro-F1: the mean F1 over the labels that occur. */
export function macroF1(predictions: readonly Prediction[]): number {
  const labels = documentLabelNames.filter((name) =>
    predictions.some(({ label }) => label === name),
  );
  return labels.reduce((sum, name) => sum + f1Of(name, predictions), 0) / labels.length;
}

export function f1Of(name: string, predictions: readonly Prediction[]): number {
  const correct = predictions.filter(
    ({ label, predicted: guessed }) => label === name && guessed === name,
  ).length;
  const actualCount = predictions.filter(({ label }) => label === name).length;
  const predictedCount = predictions.filter(({ predicted: guessed }) => guessed === name).length;
  return actualCount + predictedCount === 0 ? 0 : (2 * correct) / (actualCount + predictedCount);
}

/** Expected calibration error over ten bins: the gap between scores and accuracy. */
export function calibrationError(predictions: readonly Prediction[]): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    const inBin = predictions.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === bin);
    const correct = inBin.filter(({ label, predicted: guessed }) => label === guessed).length;
    const totalScore = inBin.reduce((sum, { score }) => sum + score, 0);
    error += Math.abs(correct - totalScore) / predictions.length;
  }
  return error;
}
