import type { PdfDocument } from '../pdfium.ts';
import { type References, referencesOf } from './references.ts';
import { apartness, coarseSlack, likeness, type Shape } from './shape.ts';

/**
 * The verdict on the character that a font declares for a glyph. `agrees`: the shape looks like the
 * character. `differs`: it looks like another letter or digit. `unclear`: neither can be decided.
 */
export type Verdict = 'agrees' | 'differs' | 'unclear';

/** Minimum similarity to a letter for a shape to be read as that letter. */
const minLike = 0.75;
/** A similarity that two different letters never reach. */
const surelyOwn = 0.95;
/**
 * Maximum amount by which a shape may be more similar to another letter than to its character,
 * because fonts vary.
 */
const maxApart = 0.02;
/**
 * Minimum similarity to another letter, with the minimum difference, for a shape to count as that
 * letter.
 */
const surelyOther: readonly { like: number; apart: number }[] = [
  { like: 0.9, apart: 0.15 },
  { like: 0.75, apart: 0.3 },
];

/**
 * Letters and digits that look the same in some fonts, and capitals that look like lower-case
 * letters.
 */
const alike: Readonly<Record<string, string>> = {
  i: 'l',
  '1': 'l',
  '|': 'l',
  j: 'l',
  '0': 'o',
  q: 'o',
};

/** Maps characters that may look the same to one character. */
export function foldLetter(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return alike[plain] ?? plain;
}

/**
 * Returns the characters that a font may draw in place of a character: small capitals, and the
 * digits of other scripts.
 */
function drawnFor(said: string): string[] {
  if (/^[0-9]$/.test(said)) {
    return [said, ...arabicZeros.map((zero) => String.fromCodePoint(zero + Number(said)))];
  }
  // Full-width letters look like ordinary letters.
  const plain = said.normalize('NFKC');
  const forms = [...plain].length === 1 ? [said, plain] : [said];
  return [...new Set(forms.flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()]))];
}
const arabicZeros = [0x0660, 0x06f0];

/**
 * Maximum ratio of width to height of narrow characters such as `i`, `l`, `I` and `1`, as a
 * logarithm.
 */
const thin = Math.log(0.28);

/** Compares the drawn shape of a character with the shapes of common fonts. */
export function judge(document: Pick<PdfDocument, 'pdfium'>, said: string, shape: Shape): Verdict {
  if (shape.aspect < thin && foldLetter(said) === 'l') return 'agrees';
  const { standard, all } = referencesOf(document);
  const first = verdictOf(compareWithKnown(standard, said, shape));
  return first === 'agrees' ? first : verdictOf(compareWithKnown(all(), said, shape));
}

function verdictOf({ own, other }: Likeness): Verdict {
  if (own >= minLike && own >= other - maxApart) return 'agrees';
  const isOther = surelyOther.some(({ like, apart }) => other >= like && other >= own + apart);
  return isOther ? 'differs' : 'unclear';
}

type Likeness = { own: number; other: number };

/**
 * Returns the similarity of a shape to its declared character, and to the most similar other
 * character.
 */
function compareWithKnown(known: References, said: string, shape: Shape): Likeness {
  let own = -1;
  for (const character of drawnFor(said)) {
    for (const one of known.of(character)) own = Math.max(own, likeness(shape, one));
  }
  if (own >= surelyOwn) return { own, other: -1 };
  const folded = foldLetter(said);
  // Lower similarities do not count.
  let other = minOther;
  known.latin.forEach((one, at) => {
    const max = coarseLikeness(shape, known.coarse, at) + coarseSlack;
    if (max - apartness(shape, one.shape) <= other || foldedLatin(one.character) === folded) return;
    const like = likeness(shape, one.shape);
    if (like > other) other = like;
  });
  return { own, other };
}

const minOther = 0.5;

/**
 * Returns the coarse similarity of a shape to a Latin letter or digit; 1 if the shape has no coarse
 * cells.
 */
function coarseLikeness({ coarse }: Shape, all: Float32Array, at: number): number {
  if (!coarse) return 1;
  const from = at * coarse.length;
  let product = 0;
  for (let cell = 0; cell < coarse.length; cell += 1) product += coarse[cell]! * all[from + cell]!;
  return product;
}

const folds = new Map<string, string>();
/**
 * Returns `foldLetter` of a character. Results are cached, because there are few such characters.
 */
function foldedLatin(character: string): string {
  const known = folds.get(character) ?? foldLetter(character);
  folds.set(character, known);
  return known;
}
