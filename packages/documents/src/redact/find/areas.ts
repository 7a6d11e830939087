import {
  area,
  displaySize,
  heightOf,
  hull,
  intersection,
  sharedArea,
  widthOf,
} from '../../geometry.ts';
import { type UnreadLines, unreadLinesOf } from '../../ocr/unread-lines.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import type { PageObjects } from '../../pdf/page-objects.ts';
import { type PageShapes, readShapes } from '../../pdf/page-shapes.ts';
import type { Box, PageFrame } from '../../results.ts';
import { outlinesOf } from './outlines.ts';
import { symbolsOf } from './symbols.ts';
import { findUnexplained } from './unexplained-ink.ts';

/** Minimum size of a picture, in points, about 12 × 6 mm. Smaller pictures cannot contain text. */
const minPictureWidth = 34;
const minPictureHeight = 17;
/**
 * Limits for letters that are drawn as paths: range of heights in points, minimum number of
 * segments, and minimum number of letters.
 */
const letterHeights = [3, 60] as const;
const minSegments = 6;
const minLetters = 12;
/** Minimum number of segments of the shapes of a drawing. A barcode has more. */
const minDrawingSegments = 60;
/** Minimum height of a shape that may contain letters, in points. */
const minLetterHeight = 5;
/**
 * Maximum number of areas, and their maximum share of the page. Above either, the whole page is
 * recognised.
 */
const maxAreas = 4;
const maxPageShare = 0.5;

/** Whether a shape may be a letter drawn as a path. */
function mayBeLetter({ box, segments }: PageShapes['paths'][number]): boolean {
  const height = Math.min(widthOf(box), heightOf(box));
  return height >= letterHeights[0] && height <= letterHeights[1] && segments >= minSegments;
}

/** Merges touching boxes, because a scan may consist of strips. */
function mergeTouching(boxes: readonly Box[]): Box[] {
  const out: Box[] = [];
  for (const box of boxes) {
    let mergedBox = box;
    for (let at = out.length - 1; at >= 0; at -= 1) {
      const other = out[at];
      if (!other) continue;
      const areApart =
        other[0] > mergedBox[2] + 1 ||
        other[2] < mergedBox[0] - 1 ||
        other[1] > mergedBox[3] + 1 ||
        other[3] < mergedBox[1] - 1;
      if (areApart) continue;
      mergedBox = hull([mergedBox, other]) ?? mergedBox;
      out.splice(at, 1);
      at = out.length;
    }
    out.push(mergedBox);
  }
  return out;
}

/**
 * Extends a box to the full height of the text lines in it, so that partly covered words are read
 * whole.
 */
function extendToLines(box: Box, glyphs: readonly Glyph[]): Box {
  const lineGlyphs = glyphs.filter(({ ink, visible }) => {
    const middle = (ink[1] + ink[3]) / 2;
    return visible && area(ink) > 0 && middle > box[1] && middle < box[3];
  });
  return hull([box, ...lineGlyphs.map(({ ink }) => ink)]) ?? box;
}

/** The parts of a page that must be recognised. */
export type Areas = {
  /** Areas that are recognised one by one. */
  areas: Box[];
  /** Lines of the page's text with unmapped letters, which are recognised together. */
  lines: UnreadLines;
  /** The boxes of pictures, recognised or not. */
  pictures: Box[];
  /** Whether the page has pictures, or enough shapes for a drawing. */
  hasDrawings: boolean;
};

const noLines: UnreadLines = { boxes: [], isLevel: true };

/** Returns the parts of a loaded page that must be recognised even if the page has text. */
export function areasToRecognise(
  objects: PageObjects,
  page: number,
  frame: PageFrame,
  glyphs: readonly Glyph[],
): Areas {
  const size = displaySize(frame);
  const pageBox: Box = [0, 0, size.width, size.height];
  const { pictures, paths, truncated } = readShapes(objects);
  const clipToPage = (boxes: readonly (Box | undefined)[]): Box[] =>
    boxes.flatMap((box) => {
      const part = box && intersection(box, pageBox);
      return part ? [part] : [];
    });
  const visiblePictures = clipToPage(pictures);
  // If there are too many parts to examine individually, the whole page is recognised.
  if (truncated || visiblePictures.length > 500) {
    return {
      areas: [pageBox],
      lines: noLines,
      pictures: visiblePictures.slice(0, 500),
      hasDrawings: true,
    };
  }
  const largePictures = mergeTouching(visiblePictures).filter(([x0, y0, x1, y1]) => {
    const [short = 0, long = 0] = [x1 - x0, y1 - y0].sort((a, b) => a - b);
    return short >= minPictureHeight && long >= minPictureWidth;
  });
  const shapes = paths.map(({ box }) => box);
  const { explained, ellipses } = outlinesOf(objects.document, paths);
  const letters = paths.filter(mayBeLetter);
  const letterCount = letters.filter((path) => !ellipses.has(path)).length;
  // The points of a graph are not text, although each of them could be read as an O.
  const isText = letters.length >= minLetters && letterCount * 2 >= minLetters;
  const letterBoxes = isText ? letters.map(({ box }) => box) : [];
  // Only a shape as large as a word can hide unexplained text.
  const mayHideText = shapes.some(
    ([x0, y0, x1, y1]) => x1 - x0 >= minPictureHeight && y1 - y0 >= minLetterHeight,
  );
  const unexplainedBox = mayHideText
    ? findUnexplained(objects.document, page, size, {
        glyphs,
        pictures: visiblePictures,
        shapes,
        outlines: explained,
      })
    : undefined;
  const others = [
    ...largePictures,
    ...clipToPage([hull(letterBoxes), unexplainedBox && extendToLines(unexplainedBox, glyphs)]),
  ];
  const segmentCount = paths.reduce((sum, { segments }) => sum + segments, 0);
  const hasDrawings =
    visiblePictures.length > 0 ||
    segmentCount >= minDrawingSegments ||
    objects.all.some(({ kind }) => kind === 'shading' || kind === 'other');
  const lines = unreadLinesOf(glyphs, symbolsOf(objects.document, glyphs));
  const unread = clipToPage(lines.boxes);
  const isWithin = (line: Box): boolean => others.some((box) => sharedArea(box, line) > 0);
  const areas = mergeTouching([...others, ...unread.filter(isWithin)]);
  const coveredArea = areas.reduce((sum, box) => sum + area(box), 0);
  if (areas.length > maxAreas || coveredArea > maxPageShare * area(pageBox)) {
    return { areas: [pageBox], lines: noLines, pictures: visiblePictures, hasDrawings };
  }
  const boxes = unread.filter((line) => !isWithin(line));
  return { areas, lines: { ...lines, boxes }, pictures: visiblePictures, hasDrawings };
}
