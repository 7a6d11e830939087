import { pluralise } from '@scriptorium/contracts/pluralise';
import type { DrawnPage } from '../../../barcodes/index.ts';
import { findFaces, sureScore } from '../../../faces/index.ts';
import { area, sharedArea } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import { mayShowDrawings, toDrawnPage } from './barcodes.ts';
import type { LoadedPage } from './loaded-page.ts';
import type { CheckOutcome } from './read-regions.ts';
import { provenLetters } from './readable-text.ts';

/** Minimum share of a face that must be within an area for the face to be kept or covered. */
const minShare = 0.5;

/**
 * Searches a redacted page for faces again. Only faces that are to stay may be left. Pages on which
 * faces were not to be removed pass.
 */
export function checkFaces(loadedPage: LoadedPage): CheckOutcome {
  const { reported } = loadedPage;
  if (reported.kept?.FACE === undefined) return notSearched;
  if (!mayShowDrawings(loadedPage)) return describe([]);
  const { boxes } = provenLetters(loadedPage);
  return searchForFaces(reported, toDrawnPage(loadedPage.lowResolution()), boxes);
}

/** Searches a drawn page for faces that must not be left. */
export function searchForFaces(
  { kept, regions }: RedactedPage,
  drawn: DrawnPage,
  known: readonly Box[],
): CheckOutcome {
  if (kept?.FACE === undefined) return notSearched;
  const covered = regions.map(({ box }) => box);
  const accepted = [...covered, ...kept.FACE];
  const isAccepted = (box: Box): boolean =>
    accepted.some((other) => sharedArea(other, box) >= minShare * area(box));
  // What may be a face was found and covered before. Drawn again, it may look a little different.
  const left = findFaces(drawn, [...known, ...covered]).filter(
    ({ box, score }) => score >= sureScore && !isAccepted(box),
  );
  return describe(left.map(({ box }) => box));
}

const notSearched: CheckOutcome = { faults: [], summary: 'Faces were not to be removed.' };

function describe(left: Box[]): CheckOutcome {
  if (left.length === 0) return { faults: [], summary: 'No face can be seen.' };
  return { faults: [`${pluralise(left.length, 'face')} can be seen.`], summary: '', unread: left };
}
