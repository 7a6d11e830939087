import { type Barcode, decodingDpi, findBarcodes } from '../../barcodes/index.ts';
import { grow, heightOf, intersects, widthOf } from '../../geometry.ts';
import type { Fragment } from '../../model/fragments.ts';
import { type PagePicture, pictureToDisplay } from '../../ocr/pictures/picture.ts';
import type { Box } from '../../results.ts';
import type { PlannedRemoval } from '../contract/plan.ts';
import { maxValueLength } from '../contract/report.ts';
import { foldText } from '../matching/canonical.ts';

/** Confidence in barcodes with and without check digits. */
const scores = { checked: 0.95, unchecked: 0.75 } as const;
/** Distance of the printed content from the bars, as a share of their height, and in points. */
const printedShare = 0.35;
const maxPrintedDistance = 20;

/**
 * Finds the barcodes of a page.
 * @param ink the page at about 150 dpi
 * @param known boxes of words that were read
 * @param draw draws the page at the given resolution or less
 */
export async function barcodesOn(
  ink: PagePicture,
  known: readonly Box[],
  draw: (dpi: number) => Promise<PagePicture>,
): Promise<Barcode[]> {
  const drawnPage = (picture: PagePicture) => ({ picture, toDisplay: pictureToDisplay(picture) });
  // A scan of a low resolution has no more detail at a higher one.
  const drawFine = async () => (ink.usedDpi < ink.finestDpi ? draw(decodingDpi) : ink);
  return findBarcodes(drawnPage(ink), known, async () => drawnPage(await drawFine()));
}

/** Returns the removals of barcodes, and the boxes of those with a value that is never removed. */
export function removalsOfBarcodes(
  barcodes: readonly Barcode[],
  words: readonly Fragment[],
  { allowList, minConfidence }: { allowList: readonly string[]; minConfidence: number },
): { removals: PlannedRemoval[]; kept: Box[] } {
  const allowed = new Set(allowList.map(foldText));
  const removals: PlannedRemoval[] = [];
  const kept: Box[] = [];
  for (const barcode of barcodes) {
    const score = barcode.isChecked ? scores.checked : scores.unchecked;
    if (allowed.has(foldText(barcode.value)) || score < minConfidence) {
      kept.push(barcode.box);
      continue;
    }
    removals.push({
      type: 'BARCODE',
      score,
      value: barcode.value.slice(0, maxValueLength),
      boxes: [barcode.box, ...printedContent(barcode, words)].map(roundOutwards),
      source: 'ocr',
      here: true,
    });
  }
  return { removals, kept };
}

/** Returns the boxes of the words beside the bars of a barcode that are part of its content. */
function printedContent({ box, value, isLinear }: Barcode, words: readonly Fragment[]): Box[] {
  if (!isLinear) return [];
  const distance = Math.min(
    maxPrintedDistance,
    printedShare * Math.min(widthOf(box), heightOf(box)),
  );
  const content = lettersOf(value);
  return words
    .filter((word) => {
      const letters = lettersOf(word.text);
      return (
        letters !== '' && content.includes(letters) && intersects(word.box, grow(box, distance))
      );
    })
    .map((word) => word.box);
}

const roundOutwards = ([x0, y0, x1, y1]: Box): Box => [
  Math.floor(x0),
  Math.floor(y0),
  Math.ceil(x1),
  Math.ceil(y1),
];

const lettersOf = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
