import type { Context } from './context.ts';
import { gazetteerBits as bits } from './gazetteer.ts';
import { GRAMS, PAD, shapes, type TaggerSegment } from './segment.ts';

/** Finds the row of a word that is frequent in the texts of the training; 0 for another word. */
export interface Vocabulary {
  rowOf(hash: number): number;
}

/**
 * The rows of the table of embeddings: row 0 is for features that are absent, then the words of the
 * vocabulary, then kinds (shapes, lists, places on a line), then parts of words; both by hash.
 */
export interface Layout {
  words: number;
  kinds: number;
  parts: number;
}

export const rowsOf = ({ words, kinds, parts }: Layout): number => 1 + words + kinds + parts;

/** Features of the form of a token, which are the same wherever it occurs. */
export const FORM_SLOTS = 23;
/** Features of the place of a token. */
export const PLACE_SLOTS = 7;
/** The first slot of the lists. Parts of words are in the slots before, except the shapes. */
const LIST_SLOT = 15;

const LISTED = 6;
const NAMES = 0xffff;
const USUAL =
  bits.commonest |
  bits.common |
  bits.word |
  bits.calendar |
  bits.rare |
  bits.foreign |
  bits.thing |
  bits.seldom;

function mixed(template: number, value: number): number {
  let hash = Math.imul(value ^ Math.imul(template, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function pair(a: number, b: number): number {
  return (Math.imul(a, 0x01000193) ^ b) + Math.imul(b, 0x27d4eb2f);
}

/** Writes the rows of the form of a token to `FORM_SLOTS` places of `out`; 0 for absent ones. */
export function formFeatures(
  segment: TaggerSegment,
  token: number,
  vocabulary: Vocabulary,
  { words, kinds, parts }: Layout,
  out: Int32Array,
  to: number,
): void {
  const at = token + PAD;
  const shape = segment.shape[at]!;
  const length = segment.length[at]!;
  const kind = (template: number, value: number): number =>
    1 + words + (mixed(template, value) % kinds);
  const part = (template: number, value: number): number =>
    1 + words + kinds + (mixed(template, value) % parts);
  out.fill(0, to, to + FORM_SLOTS);
  out[to] = vocabulary.rowOf(segment.word[at]!);
  if (shape < shapes.digits) {
    out[to + 1] = part(1, segment.prefix2[at]!);
    out[to + 2] = part(1, segment.prefix3[at]!);
    out[to + 3] = part(1, segment.prefix4[at]!);
    out[to + 4] = part(2, segment.suffix2[at]!);
    out[to + 5] = part(2, segment.suffix3[at]!);
    out[to + 6] = part(2, segment.suffix4[at]!);
    for (let gram = 0; gram < GRAMS; gram++) {
      const hash = segment.grams[at * GRAMS + gram]!;
      out[to + 7 + gram] = hash === 0 ? 0 : part(3, hash);
    }
  }
  out[to + 13] = kind(4, pair(shape, Math.min(length, 12)));
  out[to + 14] = kind(5, pair(segment.script[at]!, shape));
  const mask = segment.gazetteer[at]!;
  if (mask === 0) return;
  const look = Math.min(shape, shapes.symbol);
  out[to + LIST_SLOT] = kind(6, mask & NAMES);
  out[to + LIST_SLOT + 1] = kind(7, pair(mask & USUAL, look));
  let slot = to + LIST_SLOT + 2;
  for (let rest = mask, count = 0; rest !== 0 && count < LISTED; rest &= rest - 1, count++) {
    out[slot++] = kind(8, pair(rest & -rest, look));
  }
}

/** Writes the rows of the place of a token to `PLACE_SLOTS` places of `out`. */
export function placeFeatures(
  segment: TaggerSegment,
  context: Context,
  token: number,
  vocabulary: Vocabulary,
  { words, kinds }: Layout,
  out: Int32Array,
  to: number,
): void {
  const at = token + PAD;
  const shape = Math.min(segment.shape[at]!, shapes.symbol);
  const kind = (template: number, value: number): number =>
    1 + words + (mixed(template, value) % kinds);
  out[to] = kind(20, pair(segment.gap[at]!, shape));
  out[to + 1] = kind(21, pair(context.lineCase[at]!, shape));
  out[to + 2] = kind(22, context.lineSigns[at]!);
  out[to + 3] = kind(23, pair(context.fromLeft[at]!, context.toRight[at]!));
  out[to + 4] = kind(24, pair(segment.chunk[at]!, shape));
  const label = context.label[at]!;
  out[to + 5] = label === 0 ? 0 : kind(25, 0);
  out[to + 6] = label === 0 ? 0 : vocabulary.rowOf(label);
}
