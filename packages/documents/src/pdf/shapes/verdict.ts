import type { PdfDocument } from '../pdfium.ts';
import { type References, referencesOf } from './references.ts';
import { aspectPenalty, coarseSlack, type Shape, similarity } from './shape.ts';

/**
 * The verdict on the character that a font declares for a glyph. `agrees`: the shape looks like the
 * character. `differs`: it looks like another letter or digit. `unclear`: neither can be decided.
 */
export type Verdict = 'agrees' | 'differs' | 'unclear';

/** Minimum similarity to a letter for a shape to be read as that letter. */
const minSimilarity = 0.75;
/** A similarity that two different letters never reach. */
const certainSimilarity = 0.95;
/**
 * Maximum amount by which a shape may be more similar to another letter than to its character,
 * because fonts vary.
 */
const similarityTolerance = 0.02;
/**
 * Minimum similarity to another letter, with the minimum difference, for a shape to count as that
 * letter.
 */
const otherThresholds: readonly { like: number; apart: number }[] = [
  { like: 0.9, apart: 0.15 },
  { like: 0.75, apart: 0.3 },
];

/**
 * Letters and digits that look the same in some fonts, and capitals that look like lower-case
 * letters.
 */
const lookalikes: Readonly<Record<string, string>> = {
  i: 'l',
  '1': 'l',
  '|': 'l',
  j: 'l',
  '0': 'o',
  q: 'o',
};

/** Maps characters that may look the same to one character. */
export function foldLetter(character: string): string {
  const base = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return lookalikes[base] ?? base;
}

/**
 * Returns the characters that a font may draw in place of a character: small capitals, and the
 * digits of other scripts.
 */
function drawnAlternatives(character: string): string[] {
  if (/^[0-9]$/.test(character)) {
    return [
      character,
      ...arabicZeros.map((zero) => String.fromCodePoint(zero + Number(character))),
    ];
  }
  // Full-width letters look like ordinary letters.
  const plain = character.normalize('NFKC');
  const forms = [...plain].length === 1 ? [character, plain] : [character];
  return [...new Set(forms.flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()]))];
}
const arabicZeros = [0x0660, 0x06f0];

/**
 * Maximum ratio of width to height of narrow characters such as `i`, `l`, `I` and `1`, as a
 * logarithm.
 */
const maxNarrowAspect = Math.log(0.28);

/** Compares the drawn shape of a character with the shapes of common fonts. */
export function judge(
  document: Pick<PdfDocument, 'pdfium'>,
  character: string,
  shape: Shape,
): Verdict {
  if (shape.aspect < maxNarrowAspect && foldLetter(character) === 'l') return 'agrees';
  const { standard, all } = referencesOf(document);
  const standardVerdict = verdictOf(compareWithReferences(standard, character, shape));
  return standardVerdict === 'agrees'
    ? standardVerdict
    : verdictOf(compareWithReferences(all(), character, shape));
}

function verdictOf({ own, other }: Similarities): Verdict {
  if (own >= minSimilarity && own >= other - similarityTolerance) return 'agrees';
  const isOther = otherThresholds.some(({ like, apart }) => other >= like && other >= own + apart);
  return isOther ? 'differs' : 'unclear';
}

type Similarities = { own: number; other: number };

/**
 * Returns the similarity of a shape to its declared character, and to the most similar other
 * character.
 */
function compareWithReferences(
  references: References,
  declaredCharacter: string,
  shape: Shape,
): Similarities {
  let own = -1;
  for (const character of drawnAlternatives(declaredCharacter)) {
    for (const reference of references.shapesOf(character))
      own = Math.max(own, similarity(shape, reference));
  }
  if (own >= certainSimilarity) return { own, other: -1 };
  const folded = foldLetter(declaredCharacter);
  // Lower similarities do not count.
  let other = minOtherSimilarity;
  references.latin.forEach((one, at) => {
    const maxSimilarity = coarseSimilarity(shape, references.coarse, at) + coarseSlack;
    if (
      maxSimilarity - aspectPenalty(shape, one.shape) <= other ||
      foldCached(one.character) === folded
    )
      return;
    const like = similarity(shape, one.shape);
    if (like > other) other = like;
  });
  return { own, other };
}

const minOtherSimilarity = 0.5;

/**
 * Returns the coarse similarity of a shape to a Latin letter or digit; 1 if the shape has no coarse
 * cells.
 */
function coarseSimilarity({ coarse }: Shape, coarseCells: Float32Array, at: number): number {
  if (!coarse) return 1;
  const from = at * coarse.length;
  let product = 0;
  for (let cell = 0; cell < coarse.length; cell += 1)
    product += coarse[cell]! * coarseCells[from + cell]!;
  return product;
}

const foldedLetters = new Map<string, string>();
/**
 * Returns `foldLetter` of a character. Results are cached, because there are few such characters.
 */
function foldCached(character: string): string {
  const folded = foldedLetters.get(character) ?? foldLetter(character);
  foldedLetters.set(character, folded);
  return folded;
}
