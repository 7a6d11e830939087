import { applyToBox, grow, invert } from '../../geometry.ts';
import { type FoundWriting, findWritingByHand } from '../../ink/signatures.ts';
import { minWordEdges, strayInk } from '../../ink/stray-ink.ts';
import { isIllegible, unreadInk, withLetters } from '../../ink/unread-ink.ts';
import type { Fragment } from '../../model/fragments.ts';
import { type PagePicture, pictureToDisplay } from '../../ocr/pictures/picture.ts';
import type { Box } from '../../results.ts';
import type { PlannedRemoval } from '../contract/plan.ts';

/** The types of writing by hand. */
export const writingTypes: readonly FoundWriting['type'][] = ['SIGNATURE', 'HANDWRITING'];

/** Confidence in signatures and writing by hand, and in strokes that may be something else. */
const scores = { certain: 0.6, doubtful: 0.45 } as const;
/** Margin around strokes, in points, because their ends are pale. */
const margin = 1.5;

/** Words beside signatures, in lower case. */
const labels: ReadonlySet<string> = new Set(
  `signature signatures signed sign signatory undersigned initials sincerely faithfully truly
   respectfully regards unterschrift unterschriften unterzeichnet unterzeichner gezeichnet gez grüßen
   grüssen signé signée signataire paraphe cordialement salutations firma firmado firmante
   atentamente saludos firmato saluti assinatura assinado atenciosamente cumprimentos handtekening
   ondertekend ondertekening groeten groet podpis podpisano poważaniem`.split(/\s+/),
);
/** Distance of a signature from its label, in points: across, and up or down. */
const labelReach = [260, 80] as const;

/** Returns the areas of a page where signatures are expected: around the words beside them. */
export function signingPlaces(words: readonly Fragment[]): Box[] {
  return words
    .filter(({ text, visible }) => visible && text.split(/[^\p{L}]+/u).some(isLabel))
    .map(({ box: [x0, y0, x1, y1] }) => [
      x0 - labelReach[0],
      y0 - labelReach[1],
      x1 + labelReach[0],
      y1 + labelReach[1],
    ]);
}

const isLabel = (word: string): boolean => labels.has(word.toLowerCase());

/**
 * Returns the signatures and other writing by hand on a page, in points. A page of which most writing
 * could not be read has none: the checks find its lines, which are covered as unreadable.
 * @param ink the page at about 150 dpi
 * @param known boxes of text that was read or is removed, in points
 * @param places areas where signatures are expected, in points
 */
export function writingByHandOn(
  ink: PagePicture,
  known: readonly Box[],
  places: readonly Box[],
): FoundWriting[] {
  const toDisplay = pictureToDisplay(ink);
  const toPixels = (box: Box): Box => applyToBox(invert(toDisplay), box);
  const knownPixels = known.map(toPixels);
  // Most pages have no other ink.
  if (strayInk(ink, 1, knownPixels).count < minWordEdges) return [];
  const letters = withLetters(ink);
  if (isIllegible(unreadInk(letters, knownPixels))) return [];
  return findWritingByHand(ink, knownPixels, places.map(toPixels), letters.scales).map((found) => ({
    ...found,
    box: grow(applyToBox(toDisplay, found.box), margin),
  }));
}

export const removalsOfWriting = (
  writing: readonly FoundWriting[],
  minConfidence: number,
): PlannedRemoval[] =>
  writing
    .map(({ type, box, isDoubtful }) => ({
      type,
      box,
      score: isDoubtful ? scores.doubtful : scores.certain,
    }))
    .filter(({ score }) => score >= minConfidence)
    .map(({ type, box, score }) => ({
      type,
      score,
      value: '',
      boxes: [box],
      source: 'ocr',
      here: true,
    }));
