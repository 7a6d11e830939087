import { LABELS, mayFollow, OUTSIDE } from './labels.ts';
import { SEGMENT_TOKENS } from './segment.ts';

const BEGINNING = LABELS;
const NEVER = -1e9;

/** The transitions with forbidden ones excluded, as logarithms and as factors. */
export interface Steps {
  logs: Float64Array;
  factors: Float64Array;
}

export function stepsOf(transitions: Float32Array): Steps {
  const logs = Float64Array.from(transitions, (value, at) => {
    const from = Math.floor(at / LABELS);
    return mayFollow(from === BEGINNING ? -1 : from, at % LABELS) ? value : NEVER;
  });
  return { logs, factors: logs.map(Math.exp) };
}

/**
 * Computes the best labels of a linear chain (Viterbi) and the probability of each label
 * (forward-backward).
 */
export class Chain {
  /** `[token][label]`, filled by the caller. */
  readonly scores = new Float64Array(SEGMENT_TOKENS * LABELS);
  /** The best label of each token, after `decode`. */
  readonly labels = new Uint8Array(SEGMENT_TOKENS);
  /** The probability of each label of each token, after `weigh`. */
  readonly likely = new Float64Array(SEGMENT_TOKENS * LABELS);
  /**
   * Sums over the paths that lead to a label, including its score, and over the paths that continue
   * from it.
   */
  readonly forward = new Float64Array(SEGMENT_TOKENS * LABELS);
  readonly backward = new Float64Array(SEGMENT_TOKENS * LABELS);
  private readonly came = new Uint8Array(SEGMENT_TOKENS * LABELS);
  private best = new Float64Array(LABELS);
  private before = new Float64Array(LABELS);

  /**
   * Computes the best labels. `caution` is subtracted from the score of "outside" for every token:
   * positive values increase the number of findings.
   */
  decode(count: number, { logs }: Steps, caution: number): void {
    for (let token = 0; token < count; token++) {
      [this.best, this.before] = [this.before, this.best];
      for (let label = 0; label < LABELS; label++) {
        let from = BEGINNING;
        let max = token === 0 ? logs[BEGINNING * LABELS + label]! : Number.NEGATIVE_INFINITY;
        if (token > 0) {
          for (let last = 0; last < LABELS; last++) {
            const score = this.before[last]! + logs[last * LABELS + label]!;
            if (score > max) {
              max = score;
              from = last;
            }
          }
        }
        const score = this.scores[token * LABELS + label]!;
        this.best[label] = max + score - (label === OUTSIDE ? caution : 0);
        this.came[token * LABELS + label] = from;
      }
    }
    let label = this.best.indexOf(Math.max(...this.best));
    for (let token = count - 1; token >= 0; token--) {
      this.labels[token] = label;
      label = this.came[token * LABELS + label]!;
    }
  }

  /** Fills `likely`. Returns the logarithm of the sum over all labellings of the tokens. */
  weigh(count: number, { factors }: Steps): number {
    const { likely, forward, backward, scores } = this;
    let logSum = 0;
    for (let token = 0; token < count; token++) {
      const row = token * LABELS;
      let highest = Number.NEGATIVE_INFINITY;
      for (let label = 0; label < LABELS; label++) {
        highest = Math.max(highest, scores[row + label]!);
      }
      let sum = 0;
      for (let label = 0; label < LABELS; label++) {
        let way = token === 0 ? factors[BEGINNING * LABELS + label]! : 0;
        if (token > 0) {
          for (let last = 0; last < LABELS; last++) {
            way += forward[row - LABELS + last]! * factors[last * LABELS + label]!;
          }
        }
        const value = way * Math.exp(scores[row + label]! - highest);
        forward[row + label] = value;
        sum += value;
      }
      for (let label = 0; label < LABELS; label++)
        forward[row + label] = forward[row + label]! / sum;
      logSum += Math.log(sum) + highest;
    }
    for (let token = count - 1; token >= 0; token--) {
      const row = token * LABELS;
      const next = row + LABELS;
      let sum = 0;
      for (let label = 0; label < LABELS; label++) {
        let way = token === count - 1 ? 1 : 0;
        if (token < count - 1) {
          for (let after = 0; after < LABELS; after++) {
            way += factors[label * LABELS + after]! * backward[next + after]!;
          }
        }
        likely[row + label] = forward[row + label]! * way;
        backward[row + label] = way;
        sum += likely[row + label]!;
      }
      let highest = Number.NEGATIVE_INFINITY;
      let max = 0;
      for (let label = 0; label < LABELS; label++) {
        likely[row + label] = likely[row + label]! / sum;
        highest = Math.max(highest, scores[row + label]!);
        max = Math.max(max, backward[row + label]!);
      }
      for (let label = 0; label < LABELS; label++) {
        const value = backward[row + label]! / max;
        backward[row + label] = value * Math.exp(scores[row + label]! - highest);
      }
    }
    return logSum;
  }
}
