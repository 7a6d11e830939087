import type { Context } from './context.ts';
import { gazetteerBits as bits } from './gazetteer.ts';
import { PAD, shapes, type TaggerSegment } from './segment.ts';

/** The gazetteer bits of names and of common words. */
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

/** Maximum number of features of a token. */
export const MAX_FEATURES = 96;

/** Hashes the number of a template and its value to a row of the weights. */
function bucket(template: number, value: number, shift: number): number {
  let hash = Math.imul(value ^ Math.imul(template, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> shift;
}

function pair(a: number, b: number): number {
  return (Math.imul(a, 0x01000193) ^ b) + Math.imul(b, 0x27d4eb2f);
}

/**
 * Writes the features of the token at `place` into `out`, each as a row of the table of 2^`bits`
 * weights. Returns the number of features.
 */
export function taggerFeatures(
  segment: TaggerSegment,
  context: Context,
  place: number,
  bits: number,
  out: Int32Array,
): number {
  const { word, shape, gazetteer, gap, suffix3, script } = segment;
  const shift = 32 - bits;
  const at = place + PAD;
  let count = 0;
  const put = (template: number, value: number): void => {
    out[count++] = bucket(template, value, shift);
  };
  const w = word[at]!;
  const w1 = word[at - 1]!;
  const w2 = word[at - 2]!;
  const n1 = word[at + 1]!;
  const n2 = word[at + 2]!;
  const s = shape[at]!;
  const s1 = shape[at - 1]!;
  const sn1 = shape[at + 1]!;
  const g = gazetteer[at]! & NAMES;
  const g1 = gazetteer[at - 1]! & NAMES;
  const gn1 = gazetteer[at + 1]! & NAMES;
  const usual = gazetteer[at]! & USUAL;
  const usual1 = gazetteer[at - 1]! & USUAL;
  const usualn1 = gazetteer[at + 1]! & USUAL;
  const lineCase = context.lineCase[at]!;
  const look = pair(s, lineCase);
  const gapHere = gap[at]!;
  const gapNext = gap[at + 1]!;

  put(1, 0);
  put(2, w);
  put(3, pair(w1, gapHere));
  put(4, n1);
  put(5, w2);
  put(6, n2);
  put(7, pair(w1, w));
  put(8, pair(w, n1));
  put(9, pair(w2, w1));
  put(10, pair(n1, n2));
  put(11, pair(w1, look));
  put(12, pair(n1, look));

  put(20, look);
  put(21, pair(s1, pair(s, gapHere)));
  put(22, pair(s, pair(sn1, gapNext)));
  put(23, pair(pair(s1, s), sn1));
  put(24, pair(pair(shape[at - 2]!, s1), s));
  put(25, pair(pair(s, sn1), shape[at + 2]!));
  put(26, pair(segment.length[at]!, look));
  put(27, pair(script[at]!, s));

  if (s < shapes.symbol && (s < shapes.digits || s === shapes.digitsThenLetters)) {
    put(30, segment.suffix2[at]!);
    put(31, suffix3[at]!);
    put(32, segment.suffix4[at]!);
    put(33, segment.prefix2[at]!);
    put(34, segment.prefix3[at]!);
    put(35, pair(suffix3[at]!, s));
  }
  put(36, pair(suffix3[at - 1]!, s));
  put(37, pair(suffix3[at + 1]!, s));

  put(40, pair(g, s));
  put(41, pair(g, lineCase));
  put(42, pair(g1, pair(s1, s)));
  put(43, pair(gn1, pair(s, sn1)));
  put(44, pair(g1, pair(g, s)));
  put(45, pair(g, pair(gn1, s)));
  put(46, pair(gazetteer[at - 2]! & NAMES, shape[at - 2]!));
  put(47, pair(gazetteer[at + 2]! & NAMES, shape[at + 2]!));
  put(48, pair(pair(g1, g), gn1));
  put(49, pair(w1, g));
  put(50, pair(g, n1));
  for (let rest = gazetteer[at]!; rest !== 0; rest &= rest - 1) put(51, pair(rest & -rest, s));
  put(52, pair(usual, look));
  put(53, pair(usual1, pair(usual, s)));
  put(54, pair(usual, pair(usualn1, s)));
  put(55, pair(pair(usual1, usual), pair(usualn1, lineCase)));
  put(56, pair(usual, g));
  put(57, pair(usual, context.lineSigns[at]!));

  put(60, pair(gapHere, s));
  put(61, pair(gapNext, s));
  put(62, pair(pair(context.fromLeft[at]!, context.toRight[at]!), s));
  put(63, pair(context.label[at]!, s));
  put(64, pair(context.label[at]!, context.fromLeft[at]!));
  put(65, pair(context.cueBefore[at]!, s));
  put(66, pair(context.cueAfter[at]!, s));
  put(67, pair(pair(context.cueBefore[at]!, context.cueAfter[at]!), s));
  put(68, pair(context.cue[at]!, pair(context.cueBefore[at]!, context.cueAfter[at]!)));
  put(69, pair(segment.chunk[at]!, s));
  put(72, pair(context.lineSigns[at]!, look));
  put(73, pair(context.lineSigns[at]!, pair(s1, s)));
  put(74, pair(pair(segment.chunk[at - 1]!, segment.chunk[at]!), segment.chunk[at + 1]!));
  put(70, pair(word[at - 3]!, pair(w2, s)));
  put(71, pair(pair(gapHere, gapNext), pair(g, s)));
  return count;
}
