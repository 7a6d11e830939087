import { Context } from './context.ts';
import { Chain, type Steps, stepsOf } from './decode.ts';
import { FORM_SLOTS, formFeatures, PLACE_SLOTS, placeFeatures } from './features.ts';
import { Gazetteer } from './gazetteer.ts';
import { HashIndex } from './hash-index.ts';
import { beginOf, insideOf, LABELS, taggedTypes } from './labels.ts';
import { createMultiplier, type Multiplier } from './multiply.ts';
import { PAD, SEGMENT_TOKENS, TaggerSegment } from './segment.ts';
import { sizesOf, type TaggerWeights } from './weights.ts';

/** Empty rows before and after the tokens, so that neighbours need no bounds check. */
const MARGIN = 4;
const ROWS = SEGMENT_TOKENS + 2 * MARGIN;
const person = taggedTypes.indexOf('PERSON');
const personLabels = [beginOf(person), insideOf(person)];
/**
 * The bonus for the score of a person if a capitalised word is only in lists of names. In training,
 * names are hidden from the lists more often than they are missing from them.
 */
const LISTED = 0.5;
/** The value of one step of a number in a vector of a word. */
const VECTOR_STEP = 0.125;

/**
 * The weights ready for use, with the working memory for one text at a time: the embeddings of the
 * features of a token are added; some layers sum over the token and its neighbours; the last gives
 * a score to each label.
 */
export class Model {
  readonly segment = new TaggerSegment();
  readonly chain = new Chain();
  readonly gazetteer: Gazetteer;
  private readonly context = new Context();
  private readonly steps: Steps;
  private readonly vocabulary: HashIndex;
  private readonly vectors: HashIndex;
  /** The projection from a vector to an embedding, in the steps of both. */
  private readonly projection: Float32Array;
  private readonly features = new Int32Array(FORM_SLOTS + PLACE_SLOTS);
  private readonly sums: Int32Array;
  /** The embeddings of the forms of the text so far, and the place of each by its hash. */
  private forms = new Map<number, Float32Array>();
  private readonly multiplier: Multiplier;
  private readonly floats: Float32Array;
  private readonly sizes: [number, number][];
  /** The places of the inputs of each layer and of the last's outputs, and of weights, in floats. */
  private readonly inputs: number[] = [];
  private readonly matrices: number[] = [];

  constructor(private readonly weights: TaggerWeights) {
    const { widths, layers, projection } = weights;
    this.gazetteer = new Gazetteer(weights.hashes, weights.masks);
    this.steps = stepsOf(weights.transitions);
    this.vocabulary = new HashIndex(weights.words);
    this.vectors = new HashIndex(weights.vectorWords);
    this.sums = new Int32Array(widths.embedding);
    this.projection = Float32Array.from(
      projection.values,
      (value, at) => value * projection.scales[at % widths.embedding]! * VECTOR_STEP,
    );
    this.sizes = sizesOf(widths, layers.length);
    let end = 0;
    const take = (floats: number): number => {
      end += floats;
      return end - floats;
    };
    for (const width of [widths.embedding, ...this.sizes.map(([, outputs]) => outputs)]) {
      this.inputs.push(take(ROWS * width));
    }
    for (const [inputs, outputs] of this.sizes) this.matrices.push(take(inputs * outputs));
    this.multiplier = createMultiplier(end * 4);
    this.floats = new Float32Array(this.multiplier.memory.buffer);
    for (const [at, { values, scales }] of layers.entries()) {
      const [, outputs] = this.sizes[at]!;
      const place = this.matrices[at]!;
      for (let cell = 0; cell < values.length; cell++) {
        this.floats[place + cell] = values[cell]! * scales[cell % outputs]!;
      }
    }
  }

  /** Forgets the words of other texts. Call it before the first segment of a text. */
  start(): void {
    this.forms = new Map();
  }

  /** Labels a segment of `text` that starts at `from`. Returns the start of the next segment. */
  label(text: string, from: number, caution: number): number {
    const { segment, chain } = this;
    const next = segment.read(text, from, this.gazetteer);
    if (segment.count === 0) return next;
    this.context.read(segment);
    this.embed();
    for (let layer = 0; layer < this.sizes.length; layer++) this.apply(layer);
    this.score();
    chain.decode(segment.count, this.steps, caution);
    chain.weigh(segment.count, this.steps);
    return next;
  }

  /** Writes the embeddings of all tokens. */
  private embed(): void {
    const { features, sums, floats } = this;
    const { widths, layout, table } = this.weights;
    const width = widths.embedding;
    const { count } = this.segment;
    this.clearMargins(0, width);
    for (let token = 0; token < count; token++) {
      const form = this.formOf(token);
      placeFeatures(
        this.segment,
        this.context,
        token,
        this.vocabulary,
        layout,
        features,
        FORM_SLOTS,
      );
      sums.fill(0);
      this.addRows(FORM_SLOTS, FORM_SLOTS + PLACE_SLOTS);
      const out = this.inputs[0]! + (MARGIN + token) * width;
      for (let at = 0; at < width; at++) {
        floats[out + at] = form[at]! + sums[at]! * table.scales[at]!;
      }
    }
  }

  /** Returns the embedding of the form of a token, wherever it occurs in the text. */
  private formOf(token: number): Float32Array {
    const { segment, features, sums } = this;
    const { widths, layout, table, vectors } = this.weights;
    const word = segment.word[PAD + token]!;
    // A shape has at most eleven bits: the key is exact.
    const key = word * 2048 + segment.shape[PAD + token]!;
    const known = this.forms.get(key);
    if (known) return known;
    formFeatures(segment, token, this.vocabulary, layout, features, 0);
    sums.fill(0);
    this.addRows(0, FORM_SLOTS);
    const form = Float32Array.from(sums, (sum, at) => sum * table.scales[at]!);
    const row = this.vectors.rowOf(word) - 1;
    if (row >= 0) {
      for (let from = 0; from < widths.vector; from++) {
        const value = vectors[row * widths.vector + from]!;
        const start = from * widths.embedding;
        for (let at = 0; at < widths.embedding; at++) {
          form[at] = form[at]! + value * this.projection[start + at]!;
        }
      }
    }
    this.forms.set(key, form);
    return form;
  }

  private addRows(from: number, to: number): void {
    const { features, sums } = this;
    const { values } = this.weights.table;
    const width = sums.length;
    for (let slot = from; slot < to; slot++) {
      const row = features[slot]! * width;
      if (row === 0) continue;
      for (let at = 0; at < width; at++) sums[at] = sums[at]! + values[row + at]!;
    }
  }

  /** Empties the rows before and after the tokens of the inputs of a layer. */
  private clearMargins(layer: number, width: number): void {
    const start = this.inputs[layer]!;
    const end = start + (MARGIN + this.segment.count) * width;
    this.floats.fill(0, start, start + MARGIN * width);
    this.floats.fill(0, end, Math.min(end + 2 * MARGIN * width, start + ROWS * width));
  }

  private apply(layer: number): void {
    const { floats } = this;
    const [inputs, outputs] = this.sizes[layer]!;
    const distance = this.weights.distances[layer]!;
    const { bias } = this.weights.layers[layer]!;
    const isLast = layer === this.sizes.length - 1;
    const width = isLast ? inputs : inputs / 3;
    const { count } = this.segment;
    const rows = Math.ceil(count / 4) * 4;
    const x = this.inputs[layer]! + MARGIN * width;
    const y = this.inputs[layer + 1]! + MARGIN * outputs;
    for (let row = 0; row < rows; row++) floats.set(bias, y + row * outputs);
    const taps = isLast ? [0] : [-distance, 0, distance];
    for (const [at, tap] of taps.entries()) {
      const w = this.matrices[layer]! + at * width * outputs;
      this.multiplier.multiply((x + tap * width) * 4, w * 4, y * 4, rows, width, outputs);
    }
    if (isLast) return;
    const isResidual = width === outputs && layer > 0;
    for (let at = 0; at < count * outputs; at++) {
      const value = Math.max(0, floats[y + at]!);
      floats[y + at] = isResidual ? value + floats[x + at]! : value;
    }
    this.clearMargins(layer + 1, outputs);
  }

  private score(): void {
    const [, outputs] = this.sizes.at(-1)!;
    const from = this.inputs.at(-1)! + MARGIN * outputs;
    for (let token = 0; token < this.segment.count; token++) {
      for (let label = 0; label < LABELS; label++) {
        this.chain.scores[token * LABELS + label] = this.floats[from + token * outputs + label]!;
      }
      if (!this.segment.isListedName(token)) continue;
      for (const label of personLabels) {
        const at = token * LABELS + label;
        this.chain.scores[at] = this.chain.scores[at]! + LISTED;
      }
    }
  }
}
