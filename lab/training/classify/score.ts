import { documentLabelNames } from '@scriptorium/contracts/documents/labels';

/** The true label, the predicted label and its score. */
export type Guess = { label: string; guessed: string; score: number };

/** Macro-F1: the mean F1 over the labels that occur. */
export function macroF1(guesses: readonly Guess[]): number {
  const labels = documentLabelNames.filter((name) => guesses.some(({ label }) => label === name));
  return labels.reduce((sum, name) => sum + f1Of(name, guesses), 0) / labels.length;
}

export function f1Of(name: string, guesses: readonly Guess[]): number {
  const right = guesses.filter(({ label, guessed }) => label === name && guessed === name).length;
  const all = guesses.filter(({ label }) => label === name).length;
  const told = guesses.filter(({ guessed }) => guessed === name).length;
  return all + told === 0 ? 0 : (2 * right) / (all + told);
}

/** Expected calibration error over ten bins: the gap between scores and accuracy. */
export function calibrationError(guesses: readonly Guess[]): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    const inside = guesses.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === bin);
    const right = inside.filter(({ label, guessed }) => label === guessed).length;
    const sure = inside.reduce((sum, { score }) => sum + score, 0);
    error += Math.abs(right - sure) / guesses.length;
  }
  return error;
}
