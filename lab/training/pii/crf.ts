import { Context } from '@scriptorium/pii/tagger/context';
import { Chain, stepsOf } from '@scriptorium/pii/tagger/decode';
import { MAX_FEATURES, taggerFeatures } from '@scriptorium/pii/tagger/features';
import { gazetteerBits as bits, Gazetteer } from '@scriptorium/pii/tagger/gazetteer';
import {
  beginOf,
  insideOf,
  LABELS,
  mayFollow,
  OUTSIDE,
  taggedTypes,
} from '@scriptorium/pii/tagger/labels';
import { PAD, SEGMENT_TOKENS, shapes, TaggerSegment } from '@scriptorium/pii/tagger/segment';
import type { TaggerWeights } from '@scriptorium/pii/tagger/weights';
import type { Random } from './random.ts';
import type { Text } from './text.ts';

/** How often a word is treated as unknown in training: of an entity, and of other text. */
const UNKNOWN_ENTITY = 0.25;
const UNKNOWN_OTHER = 0.1;
const UNKNOWN = 0x5f3759df;
/** Smaller gradients are ignored. */
const NO_SLOPE = 5e-4;
const FORGETTABLE =
  bits.first |
  bits.last |
  bits.city |
  bits.common |
  bits.word |
  bits.rare |
  bits.foreign |
  bits.seldom |
  bits.thing;

/** A linear-chain conditional random field, trained one document at a time with AdaGrad. */
export class Learner {
  rate = 0.2;
  /** A row of weights per feature, with one weight for each label. */
  readonly table: Float32Array;
  private readonly squares: Float32Array;
  /** The weights of a label after another label; the last row is for the start of a text. */
  readonly steps = new Float32Array((LABELS + 1) * LABELS);
  private readonly stepSquares = new Float32Array((LABELS + 1) * LABELS);
  private readonly gazetteer: Gazetteer;
  private readonly segment = new TaggerSegment();
  private readonly context = new Context();
  private readonly chain = new Chain();
  private readonly rows = new Int32Array(SEGMENT_TOKENS * MAX_FEATURES);
  private readonly counts = new Int32Array(SEGMENT_TOKENS);
  private readonly row = new Int32Array(MAX_FEATURES);
  private readonly gold = new Uint8Array(SEGMENT_TOKENS);
  private loss = 0;
  private tokens = 0;

  constructor(
    private readonly bits: number,
    words: { hashes: Int32Array; masks: Uint32Array },
    private readonly random: Random,
    start?: TaggerWeights,
  ) {
    this.table = new Float32Array(2 ** bits * LABELS);
    // Features that are already learned move in smaller steps.
    const squares = start ? 1 : 1e-2;
    this.squares = new Float32Array(2 ** bits * LABELS).fill(squares);
    this.stepSquares.fill(squares);
    if (start) {
      this.table.set(Float32Array.from(start.table, (value) => value * start.step));
      this.steps.set(start.transitions);
    }
    this.gazetteer = new Gazetteer(words.hashes, words.masks);
  }

  takeLoss(): number {
    const mean = this.loss / Math.max(1, this.tokens);
    this.loss = this.tokens = 0;
    return mean;
  }

  learn(text: Text): void {
    for (let from = 0; from < text.value.length; ) {
      from = this.segment.read(text.value, from, this.gazetteer);
      if (this.segment.count > 0) this.learnSegment(text);
    }
  }

  private learnSegment(text: Text): void {
    const { segment, chain, rows, counts } = this;
    this.labelGold(text);
    this.forget();
    this.context.read(segment);
    for (let token = 0; token < segment.count; token++) {
      const count = taggerFeatures(segment, this.context, token, this.bits, this.row);
      counts[token] = count;
      const out = token * LABELS;
      for (let label = 0; label < LABELS; label++) chain.scores[out + label] = 0;
      for (let at = 0; at < count; at++) {
        const row = this.row[at]! * LABELS;
        rows[token * MAX_FEATURES + at] = row;
        for (let label = 0; label < LABELS; label++) {
          chain.scores[out + label] = chain.scores[out + label]! + this.table[row + label]!;
        }
      }
    }
    const steps = stepsOf(this.steps);
    const logSum = chain.weigh(segment.count, steps);
    this.count(logSum);
    this.improveSteps(steps.factors);
    this.improveTable();
  }

  private count(logSum: number): void {
    let gold = 0;
    let last = LABELS;
    for (let token = 0; token < this.segment.count; token++) {
      const label = this.gold[token]!;
      gold += this.chain.scores[token * LABELS + label]! + this.steps[last * LABELS + label]!;
      last = label;
    }
    this.loss += logSum - gold;
    this.tokens += this.segment.count;
  }

  private improveTable(): void {
    const { chain, rows, counts, table, squares, rate } = this;
    for (let token = 0; token < this.segment.count; token++) {
      for (let label = 0; label < LABELS; label++) {
        const should = this.gold[token] === label ? 1 : 0;
        const slope = should - chain.likely[token * LABELS + label]!;
        if (Math.abs(slope) < NO_SLOPE) continue;
        const square = slope * slope;
        for (let at = 0; at < counts[token]!; at++) {
          const cell = rows[token * MAX_FEATURES + at]! + label;
          squares[cell] = squares[cell]! + square;
          table[cell] = table[cell]! + (rate * slope) / Math.sqrt(squares[cell]!);
        }
      }
    }
  }

  /** Whether a token is labelled correctly with enough confidence to skip it. */
  private isSure(token: number): boolean {
    return this.chain.likely[token * LABELS + this.gold[token]!]! > 1 - NO_SLOPE;
  }

  private improveSteps(factors: Float64Array): void {
    const { forward, backward } = this.chain;
    const slopes = new Float64Array((LABELS + 1) * LABELS);
    const first = this.gold[0]!;
    for (let label = 0; label < LABELS; label++) {
      slopes[LABELS * LABELS + label] = (label === first ? 1 : 0) - this.chain.likely[label]!;
    }
    for (let token = 1; token < this.segment.count; token++) {
      if (this.isSure(token - 1) && this.isSure(token)) continue;
      const row = token * LABELS;
      let sum = 0;
      for (let from = 0; from < LABELS; from++) {
        for (let to = 0; to < LABELS; to++) {
          sum += forward[row - LABELS + from]! * factors[from * LABELS + to]! * backward[row + to]!;
        }
      }
      for (let from = 0; from < LABELS; from++) {
        for (let to = 0; to < LABELS; to++) {
          const way =
            forward[row - LABELS + from]! * factors[from * LABELS + to]! * backward[row + to]!;
          slopes[from * LABELS + to] = slopes[from * LABELS + to]! - way / sum;
        }
      }
      const step = this.gold[token - 1]! * LABELS + this.gold[token]!;
      slopes[step] = slopes[step]! + 1;
    }
    for (let at = 0; at < slopes.length; at++) {
      const from = Math.floor(at / LABELS);
      if (!mayFollow(from === LABELS ? -1 : from, at % LABELS)) continue;
      this.stepSquares[at] = this.stepSquares[at]! + slopes[at]! ** 2;
      this.steps[at] =
        this.steps[at]! + (this.rate * slopes[at]!) / Math.sqrt(this.stepSquares[at]!);
    }
  }

  private labelGold(text: Text): void {
    const { segment, gold } = this;
    let next = 0;
    let inside = -1;
    for (let token = 0; token < segment.count; token++) {
      const start = segment.start[PAD + token]!;
      const end = segment.end[PAD + token]!;
      while (next < text.spans.length && text.spans[next]!.end <= start) next++;
      const span = text.spans[next];
      if (!span || end <= span.start) {
        gold[token] = OUTSIDE;
        inside = -1;
        continue;
      }
      const type = taggedTypes.indexOf(span.type);
      gold[token] = inside === next ? insideOf(type) : beginOf(type);
      inside = next;
    }
  }

  /** Makes some words unknown, so that context and shape must be sufficient. */
  private forget(): void {
    const { segment, random } = this;
    for (let token = 0; token < segment.count; token++) {
      const at = PAD + token;
      const shape = segment.shape[at]!;
      if (shape >= shapes.digits) continue;
      const entity = this.gold[token] !== OUTSIDE;
      if (!random.chance(entity ? UNKNOWN_ENTITY : UNKNOWN_OTHER)) continue;
      if (segment.length[at]! < 3 || (segment.gazetteer[at]! & ~FORGETTABLE) !== 0) continue;
      segment.word[at] = UNKNOWN;
      segment.gazetteer[at] = 0;
    }
  }
}

/** Weights whose scores are the means of the scores of `learners`, quantised. */
export function averageWeights(
  learners: readonly { table: Float32Array; steps: Float32Array }[],
  bits: number,
  words: { hashes: Int32Array; masks: Uint32Array },
): TaggerWeights {
  const table = meanOf(learners.map((learner) => learner.table));
  const sorted = table
    .map(Math.abs)
    .filter((value) => value > 0)
    .sort();
  // Clip the few outliers, so that the quantisation steps stay small.
  const max = sorted[Math.floor(sorted.length * 0.9999)] ?? 1;
  const step = max / 127;
  return {
    bits,
    step: Math.fround(step),
    table: Int8Array.from(table, (value) =>
      Math.max(-127, Math.min(127, Math.round(value / step))),
    ),
    transitions: meanOf(learners.map((learner) => learner.steps)),
    ...words,
  };
}

function meanOf(arrays: readonly Float32Array[]): Float32Array {
  const mean = (_: number, at: number) =>
    arrays.reduce((sum, values) => sum + values[at]!, 0) / arrays.length;
  return Float32Array.from(arrays[0]!, mean);
}
