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
import { unexplained } from './unexplained.ts';

/** Minimum size of a picture, in points, about 12 × 6 mm. Smaller pictures cannot contain text. */
const minWidth = 34;
const minHeight = 17;
/**
 * Limits for letters that are drawn as paths: range of heights in points, minimum number of
 * segments, and minimum number of letters.
 */
const letterHeights = [3, 60] as const;
const minSegments = 6;
const minLetters = 12;
/** Minimum height of a shape that may contain letters, in points. */
const minLetter = 5;
/**
 * Maximum number of areas, and their maximum share of the page. Above either, the whole page is
 * recognised.
 */
const maxAreas = 4;
const maxOfPage = 0.5;

/** Whether a shape may be a letter drawn as a path. */
function mayBeLetter({ box, segments }: PageShapes['paths'][number]): boolean {
  const height = Math.min(widthOf(box), heightOf(box));
  return height >= letterHeights[0] && height <= letterHeights[1] && segments >= minSegments;
}

/** Merges touching boxes, because a scan may consist of strips. */
function merged(boxes: readonly Box[]): Box[] {
  const out: Box[] = [];
  for (const box of boxes) {
    let all = box;
    for (let at = out.length - 1; at >= 0; at -= 1) {
      const other = out[at];
      if (!other) continue;
      const apart =
        other[0] > all[2] + 1 ||
        other[2] < all[0] - 1 ||
        other[1] > all[3] + 1 ||
        other[3] < all[1] - 1;
      if (apart) continue;
      all = hull([all, other]) ?? all;
      out.splice(at, 1);
      at = out.length;
    }
    out.push(all);
  }
  return out;
}

/**
 * Extends a box to the full height of the text lines in it, so that partly covered words are read
 * whole.
 */
function extendedToLines(box: Box, glyphs: readonly Glyph[]): Box {
  const beside = glyphs.filter(({ ink, visible }) => {
    const middle = (ink[1] + ink[3]) / 2;
    return visible && area(ink) > 0 && middle > box[1] && middle < box[3];
  });
  return hull([box, ...beside.map(({ ink }) => ink)]) ?? box;
}

/** The parts of a page that must be recognised. */
export type Areas = {
  /** Areas that are recognised one by one. */
  areas: Box[];
  /** Lines of the page's text with unmapped letters, which are recognised together. */
  lines: UnreadLines;
  /** The boxes of pictures, recognised or not. */
  pictures: Box[];
};

const noLines: UnreadLines = { boxes: [], level: true };

/** Returns the parts of a loaded page that must be recognised even if the page has text. */
export function areasToRecognise(
  objects: PageObjects,
  page: number,
  frame: PageFrame,
  glyphs: readonly Glyph[],
): Areas {
  const size = displaySize(frame);
  const whole: Box = [0, 0, size.width, size.height];
  const { pictures, paths, crowded } = readShapes(objects);
  const clippedToPage = (boxes: readonly (Box | undefined)[]): Box[] =>
    boxes.flatMap((box) => {
      const part = box && intersection(box, whole);
      return part ? [part] : [];
    });
  const shown = clippedToPage(pictures);
  // If there are too many parts to examine individually, the whole page is recognised.
  if (crowded || shown.length > 500) {
    return { areas: [whole], lines: noLines, pictures: shown.slice(0, 500) };
  }
  const large = merged(shown).filter(([x0, y0, x1, y1]) => {
    const [short = 0, long = 0] = [x1 - x0, y1 - y0].sort((a, b) => a - b);
    return short >= minHeight && long >= minWidth;
  });
  const shapes = paths.map(({ box }) => box);
  const { explained, ellipses } = outlinesOf(objects.document, paths);
  const letters = paths.filter(mayBeLetter);
  const spelled = letters.filter((path) => !ellipses.has(path)).length;
  // The points of a graph are not text, although each of them could be read as an O.
  const isText = letters.length >= minLetters && spelled * 2 >= minLetters;
  const drawn = isText ? letters.map(({ box }) => box) : [];
  // Only a shape as large as a word can hide unexplained text.
  const filled = shapes.some(([x0, y0, x1, y1]) => x1 - x0 >= minHeight && y1 - y0 >= minLetter);
  const hidden = filled
    ? unexplained(objects.document, page, size, {
        glyphs,
        pictures: shown,
        shapes,
        outlines: explained,
      })
    : undefined;
  const others = [
    ...large,
    ...clippedToPage([hull(drawn), hidden && extendedToLines(hidden, glyphs)]),
  ];
  const lines = unreadLinesOf(glyphs, symbolsOf(objects.document, glyphs));
  const unread = clippedToPage(lines.boxes);
  const isWithin = (line: Box): boolean => others.some((box) => sharedArea(box, line) > 0);
  const areas = merged([...others, ...unread.filter(isWithin)]);
  const covered = areas.reduce((sum, box) => sum + area(box), 0);
  if (areas.length > maxAreas || covered > maxOfPage * area(whole)) {
    return { areas: [whole], lines: noLines, pictures: shown };
  }
  const boxes = unread.filter((line) => !isWithin(line));
  return { areas, lines: { ...lines, boxes }, pictures: shown };
}
