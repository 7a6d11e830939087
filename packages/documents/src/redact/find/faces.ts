import { type Face, findFaces } from '../../faces/index.ts';
import { type PagePicture, pictureToDisplay } from '../../ocr/pictures/picture.ts';
import type { Box, PageResult } from '../../results.ts';
import type { PlannedRemoval } from '../contract/plan.ts';

/**
 * Finds the faces of a page.
 * @param drawn the page at about 150 dpi
 * @param known boxes of words that were read
 */
export const facesOn = (
  drawn: PagePicture,
  known: readonly Box[],
  { orientation }: PageResult,
): Face[] => findFaces({ picture: drawn, toDisplay: pictureToDisplay(drawn) }, known, orientation);

/** Returns the removals of faces, and the boxes of those whose score is too low. */
export function removalsOfFaces(
  faces: readonly Face[],
  minConfidence: number,
): { removals: PlannedRemoval[]; kept: Box[] } {
  const removed = faces.filter(({ score }) => score >= minConfidence);
  const kept = faces.filter(({ score }) => score < minConfidence);
  return {
    removals: removed.map(({ box, score }) => ({
      type: 'FACE',
      score: Math.round(score * 100) / 100,
      value: '',
      boxes: [box],
      source: 'ocr',
      here: true,
    })),
    kept: kept.map(({ box }) => box),
  };
}
