import { pluralise } from '@scriptorium/contracts/pluralise';
import { type DrawnPage, findBarcodes } from '../../../barcodes/index.ts';
import { area, sharedArea } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type { LoadedPage, PageDrawing } from './loaded-page.ts';
import type { CheckOutcome } from './read-regions.ts';
import { provenLetters } from './readable-text.ts';

/** Minimum number of parts of paths that can form a barcode. */
const minParts = 12;
/** Minimum share of a barcode that must be within an area for the barcode to be kept. */
const minKeptShare = 0.5;

/**
 * Decodes the barcodes of a redacted page again. Only barcodes that are to stay may be left. Pages
 * on which barcodes were not to be removed pass.
 */
export async function checkBarcodes(loadedPage: LoadedPage): Promise<CheckOutcome> {
  const { reported } = loadedPage;
  if (reported.kept?.BARCODE === undefined) return notSearched;
  const { boxes, hasOthers } = provenLetters(loadedPage);
  if (!hasOthers && !mayShowDrawings(loadedPage)) return describe([]);
  const drawn = toDrawnPage(loadedPage.lowResolution());
  return searchForBarcodes(reported, drawn, boxes, () => toDrawnPage(loadedPage.highResolution()));
}

/** Searches a drawn page for barcodes that must not be left. */
export async function searchForBarcodes(
  { kept, regions }: RedactedPage,
  drawn: DrawnPage,
  known: readonly Box[],
  drawFine: () => DrawnPage | Promise<DrawnPage>,
): Promise<CheckOutcome> {
  if (kept?.BARCODE === undefined) return notSearched;
  const left = await findBarcodes(drawn, [...known, ...regions.map(({ box }) => box)], drawFine);
  const isKept = (box: Box): boolean =>
    kept.BARCODE?.some((other) => sharedArea(other, box) >= minKeptShare * area(box)) ?? false;
  return describe(left.filter(({ box }) => !isKept(box)).map(({ box }) => box));
}

const notSearched: CheckOutcome = { faults: [], summary: 'Barcodes were not to be removed.' };

function describe(left: Box[]): CheckOutcome {
  if (left.length === 0) return { faults: [], summary: 'No barcode can be decoded.' };
  return {
    faults: [`${pluralise(left.length, 'barcode')} can be decoded.`],
    summary: '',
    unread: left,
  };
}

export const toDrawnPage = ({ tile, scale }: PageDrawing): DrawnPage => ({
  picture: tile,
  toDisplay: [1 / scale, 0, 0, 1 / scale, 0, 0],
});

/** Whether a page has objects other than text and a few shapes. */
export function mayShowDrawings(loadedPage: LoadedPage): boolean {
  let parts = 0;
  for (const object of loadedPage.objects()) {
    if (!object.visible || object.kind === 'text') continue;
    if (object.kind !== 'path') return true;
    parts += object.parts.length;
  }
  return parts >= minParts;
}
