import { applyToBox, compose, displaySize, type Matrix, userToDisplay } from '../../geometry.ts';
import { area, hull, shared } from '../../model/page.ts';
import type { Glyph } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, readFloats, withSlots } from '../../pdf/pdfium.ts';
import type { Box, Frame } from '../../results.ts';
import { linesOf, type UnreadLines } from './lines.ts';
import { unexplained } from './unexplained.ts';

/** FPDF_PAGEOBJ_* of PDFium's public header. */
const pathObject = 2;
const imageObject = 3;
const shadingObject = 4;
const formObject = 5;
/** More objects than this are not looked at one by one: the whole page is recognised. */
const mostObjects = 20_000;
const deepest = 8;

/** About 12 × 6 mm: a smaller picture holds no text worth the name. */
const leastWidth = 34;
const leastHeight = 17;
/** Letters drawn as paths: so high, in points, of so many segments, and so many of them. */
const letterHeights = [3, 60] as const;
const leastSegments = 6;
const leastLetters = 12;
/** A shape lower than this holds no letters. */
const leastLetter = 5;
/** More areas than this, or more of the page, and the page is recognised whole. */
const mostAreas = 4;
const mostOfPage = 0.5;

type Survey = {
  pictures: Box[];
  letters: Box[];
  /** Every path and shading. */
  shapes: Box[];
  crowded: boolean;
};

function matrixOf({ pdfium }: PdfDocument, object: number): Matrix {
  return withSlots(pdfium, 3, (at) => {
    if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return [1, 0, 0, 1, 0, 0];
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = readFloats(pdfium, at, 6);
    return [a, b, c, d, e, f];
  });
}

function boundsOf({ pdfium }: PdfDocument, object: number): Box | undefined {
  return withSlots(pdfium, 2, (at) => {
    if (!pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return undefined;
    const [left = 0, bottom = 0, right = 0, top = 0] = readFloats(pdfium, at, 4);
    return [left, bottom, right, top];
  });
}

/** Pictures and what may be letters drawn as paths, forms included. */
function survey(document: PdfDocument, page: number, frame: Frame): Survey {
  const { pdfium } = document;
  const found: Survey = { pictures: [], letters: [], shapes: [], crowded: false };
  let seen = 0;
  const visit = (object: number, map: Matrix, depth: number): void => {
    seen += 1;
    if (seen > mostObjects) return;
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === imageObject) {
      found.pictures.push(applyToBox(compose(map, matrixOf(document, object)), [0, 0, 1, 1]));
    } else if (type === pathObject || type === shadingObject) {
      const bounds = boundsOf(document, object);
      if (!bounds) return;
      const box = applyToBox(map, bounds);
      found.shapes.push(box);
      const height = Math.min(box[2] - box[0], box[3] - box[1]);
      const letter = height >= letterHeights[0] && height <= letterHeights[1];
      const drawn = type === pathObject && pdfium.FPDFPath_CountSegments(object) >= leastSegments;
      if (letter && drawn) found.letters.push(box);
    } else if (type === formObject && depth > 0) {
      const inner = compose(map, matrixOf(document, object));
      const count = pdfium.FPDFFormObj_CountObjects(object);
      for (let index = 0; index < Math.min(count, mostObjects); index += 1) {
        visit(pdfium.FPDFFormObj_GetObject(object, index), inner, depth - 1);
      }
    }
  };
  const count = pdfium.FPDFPage_CountObjects(page);
  for (let index = 0; index < Math.min(count, mostObjects + 1); index += 1) {
    visit(pdfium.FPDFPage_GetObject(page, index), userToDisplay(frame), deepest);
  }
  found.crowded = seen > mostObjects;
  return found;
}

/** Boxes that touch are one: scans come in strips. */
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

function clip([x0, y0, x1, y1]: Box, [left, top, right, bottom]: Box): Box {
  return [Math.max(x0, left), Math.max(y0, top), Math.min(x1, right), Math.min(y1, bottom)];
}

/** What of a page has to be recognised. */
export type Areas = {
  /** Each recognised by itself. */
  areas: Box[];
  /** Lines of its own text of which some letters are not known, recognised together. */
  lines: UnreadLines;
  /** Where pictures are, recognised or not. */
  pictures: Box[];
};

const noLines: UnreadLines = { boxes: [], level: true };

/** What of a loaded page has to be recognised, though the page has text of its own. */
export function areasToRecognise(
  document: PdfDocument,
  page: number,
  frame: Frame,
  glyphs: readonly Glyph[],
): Areas {
  const size = displaySize(frame);
  const whole: Box = [0, 0, size.width, size.height];
  const { pictures, letters, shapes, crowded } = survey(document, page, frame);
  const shown = pictures.map((box) => clip(box, whole)).filter((box) => area(box) > 0);
  if (crowded || shown.length > 500) {
    return { areas: [whole], lines: noLines, pictures: shown.slice(0, 500) };
  }
  const large = merged(shown).filter(([x0, y0, x1, y1]) => {
    const [short = 0, long = 0] = [x1 - x0, y1 - y0].sort((a, b) => a - b);
    return short >= leastHeight && long >= leastWidth;
  });
  const drawn = letters.length >= leastLetters ? letters : [];
  // Only in a shape as large as a word can there be something that nothing tells of.
  const filled = shapes.some(
    ([x0, y0, x1, y1]) => x1 - x0 >= leastHeight && y1 - y0 >= leastLetter,
  );
  const hidden = filled
    ? unexplained(document, page, size, { glyphs, pictures: shown, shapes })
    : undefined;
  const seen = (boxes: readonly (Box | undefined)[]): Box[] =>
    boxes.flatMap((box) => {
      const cut = box && clip(box, whole);
      return cut && area(cut) > 0 ? [cut] : [];
    });
  const others = [...large, ...seen([hull(drawn), hidden])];
  const lines = linesOf(glyphs);
  const unread = seen(lines.boxes);
  const isWithin = (line: Box): boolean => others.some((box) => shared(box, line) > 0);
  const areas = merged([...others, ...unread.filter(isWithin)]);
  const covered = areas.reduce((sum, box) => sum + area(box), 0);
  if (areas.length > mostAreas || covered > mostOfPage * area(whole)) {
    return { areas: [whole], lines: noLines, pictures: shown };
  }
  const boxes = unread.filter((line) => !isWithin(line));
  return { areas, lines: { ...lines, boxes }, pictures: shown };
}
