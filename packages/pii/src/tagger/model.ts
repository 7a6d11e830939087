import { Context } from './context.ts';
import { Chain, type Steps, stepsOf } from './decode.ts';
import { MAX_FEATURES, taggerFeatures } from './features.ts';
import { Gazetteer } from './gazetteer.ts';
import { beginOf, insideOf, LABELS, taggedTypes } from './labels.ts';
import { TaggerSegment } from './segment.ts';
import type { TaggerWeights } from './weights.ts';

const person = taggedTypes.indexOf('PERSON');
const personLabels = [beginOf(person), insideOf(person)];
/**
 * The bonus for the score of a person if a capitalised word is only in lists of names. In training,
 * names are hidden from the lists more often than they are missing from them.
 */
const LISTED = 2;

/** The weights ready for use, with the working memory for one text at a time. */
export class Model {
  readonly segment = new TaggerSegment();
  readonly chain = new Chain();
  private readonly context = new Context();
  readonly gazetteer: Gazetteer;
  private readonly steps: Steps;
  private readonly rows = new Int32Array(MAX_FEATURES);
  private readonly sums = new Int32Array(LABELS);

  constructor(private readonly weights: TaggerWeights) {
    this.gazetteer = new Gazetteer(weights.hashes, weights.masks);
    this.steps = stepsOf(weights.transitions);
  }

  /** Labels a segment of `text` that starts at `from`. Returns the start of the next segment. */
  label(text: string, from: number, caution: number): number {
    const { segment, chain } = this;
    const next = segment.read(text, from, this.gazetteer);
    this.context.read(segment);
    for (let token = 0; token < segment.count; token++) this.score(token);
    chain.decode(segment.count, this.steps, caution);
    chain.weigh(segment.count, this.steps);
    return next;
  }

  private score(token: number): void {
    const { table, step, bits } = this.weights;
    const { rows, sums } = this;
    const count = taggerFeatures(this.segment, this.context, token, bits, rows);
    sums.fill(0);
    for (let at = 0; at < count; at++) {
      const row = rows[at]! * LABELS;
      for (let label = 0; label < LABELS; label++) sums[label] = sums[label]! + table[row + label]!;
    }
    const out = token * LABELS;
    const { scores } = this.chain;
    for (let label = 0; label < LABELS; label++) scores[out + label] = sums[label]! * step;
    if (this.segment.isListedName(token)) {
      for (const label of personLabels) scores[out + label] = scores[out + label]! + LISTED;
    }
  }
}
