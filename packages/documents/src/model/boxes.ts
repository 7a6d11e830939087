import { area, hull } from '../geometry.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box } from '../results.ts';
import { cellOf } from './fragments.ts';
import type { ModelWord, PageModel } from './page.ts';

/** A part of a word, in UTF-16 units of its text. `to` is exclusive. */
export type Piece = { word: number; from: number; to: number };

/** Distance to the ink of a neighbouring glyph, in points. */
const clearance = 0.05;
/** Minimum width and height of a box, in points. Text without a size also gets a box. */
const minSide = 0.5;
/** Maximum factor by which joining may thicken the boxes of a sloping line. */
const maxThicknessRatio = 1.35;

/**
 * Adjacent parts of a line to cover. `ink` is the smallest possible box, and `box` is the preferred
 * one.
 */
type Part = { ink: Box; box: Box; glyphs: readonly Glyph[]; thickness: number };

/** Returns the thickness of a box, measured across a line that runs at an angle. */
function thickness([x0, y0, x1, y1]: Box, angle: number): number {
  const isLevel = Math.abs(Math.round(angle / 90) % 2) === 0;
  return isLevel ? y1 - y0 : x1 - x0;
}

function partsOf(word: ModelWord, { from, to }: Piece, angle: number): Part[] {
  const makePart = (ink: Box, box: Box, glyphs: readonly Glyph[]): Part => {
    return { ink, box, glyphs, thickness: Math.max(thickness(box, angle), minSide) };
  };
  if (!word.glyphs) return [makePart(word.box, word.box, [])];
  return word.glyphs.slice(from, to).map((glyph) => {
    const ink: Box = area(glyph.ink) > 0 ? glyph.ink : [glyph.x, glyph.y, glyph.x, glyph.y];
    return makePart(ink, hull([ink, cellOf(glyph)]) ?? ink, [glyph]);
  });
}

/**
 * Joins the parts of a line. A sloping line is covered in steps, which leaves its neighbours
 * uncovered.
 */
function joinParts(parts: readonly Part[], angle: number): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    const joinedBox = last && hull([last.box, part.box]);
    const thick = Math.max(part.thickness, last?.thickness ?? 0);
    if (last && joinedBox && thickness(joinedBox, angle) <= maxThicknessRatio * thick) {
      last.box = joinedBox;
      last.ink = hull([last.ink, part.ink]) ?? last.ink;
      last.glyphs = [...last.glyphs, ...part.glyphs];
      last.thickness = thick;
    } else out.push({ ...part });
  }
  return out;
}

function areDisjoint(a: Box, b: Box): boolean {
  return a[0] >= b[2] || a[2] <= b[0] || a[1] >= b[3] || a[3] <= b[1];
}

/** Shrinks a box to exclude the ink of another glyph, on the side where the box loses least. */
function excludeInk(box: Box, ink: Box, other: Box): Box {
  if (areDisjoint(box, other)) return box;
  const [x0, y0, x1, y1] = box;
  const sides: Box[] = [];
  if (other[0] >= ink[2]) sides.push([x0, y0, Math.max(ink[2], other[0] - clearance), y1]);
  if (other[2] <= ink[0]) sides.push([Math.min(ink[0], other[2] + clearance), y0, x1, y1]);
  if (other[1] >= ink[3]) sides.push([x0, y0, x1, Math.max(ink[3], other[1] - clearance)]);
  if (other[3] <= ink[1]) sides.push([x0, Math.min(ink[1], other[3] + clearance), x1, y1]);
  return sides.sort((a, b) => area(b) - area(a))[0] ?? box;
}

function growToMinSide([x0, y0, x1, y1]: Box): Box {
  const [dx, dy] = [minSide - (x1 - x0), minSide - (y1 - y0)].map((by) => Math.max(0, by) / 2);
  return [x0 - (dx ?? 0), y0 - (dy ?? 0), x1 + (dx ?? 0), y1 + (dy ?? 0)];
}

/** Returns the line of each word, by the index of the word. */
export function lineByWord(model: PageModel): Map<number, number> {
  const lines = new Map<number, number>();
  model.lines.forEach(({ words }, line) => {
    for (const word of words) lines.set(word, line);
  });
  return lines;
}

/** Number of horizontal bands of a page in which words are searched for. */
const bandCount = 128;

/** The words with glyphs in each band, by index. */
const bandsByModel = new WeakMap<PageModel, readonly (readonly number[])[]>();

const bandAt = ({ heightPt }: PageModel, y: number): number =>
  Math.min(bandCount - 1, Math.max(0, Math.floor((y / Math.max(1, heightPt)) * bandCount)));

function bandsOf(model: PageModel): readonly (readonly number[])[] {
  const known = bandsByModel.get(model);
  if (known) return known;
  const bands: number[][] = Array.from({ length: bandCount }, () => []);
  model.words.forEach(({ glyphs, box }, index) => {
    if (!glyphs) return;
    const last = bandAt(model, box[3]);
    for (let band = bandAt(model, box[1]); band <= last; band += 1) bands[band]?.push(index);
  });
  bandsByModel.set(model, bands);
  return bands;
}

/** Returns the words with glyphs that may touch a box, in order. */
function wordsNear(model: PageModel, box: Box): readonly number[] {
  const bands = bandsOf(model);
  const [first, last] = [bandAt(model, box[1]), bandAt(model, box[3])];
  if (first === last) return bands[first] ?? [];
  return [...new Set(bands.slice(first, last + 1).flat())].sort((a, b) => a - b);
}

/**
 * Returns the positions of pieces of words: one box per line, or several if the line slopes. Boxes
 * extend from pen to pen and are as high as the font, and thus do not reveal the letters that they
 * cover. A box always covers the ink of its piece. It covers the ink of other glyphs only
 * if they overlap that ink. Recognised words are covered as a whole.
 */
export function boxesOf(
  model: PageModel,
  pieces: readonly Piece[],
  lines: ReadonlyMap<number, number>,
): Box[] {
  const byLine = new Map<number, Part[]>();
  for (const piece of pieces) {
    const word = model.words[piece.word];
    const line = lines.get(piece.word);
    if (!word || line === undefined) continue;
    const parts = byLine.get(line) ?? [];
    parts.push(...partsOf(word, piece, model.lines[line]?.angle ?? 0));
    byLine.set(line, parts);
  }
  const boxes: Box[] = [];
  for (const [index, parts] of byLine) {
    const line = model.lines[index];
    if (!line) continue;
    for (const part of joinParts(parts, line.angle)) {
      let { box } = part;
      if (part.glyphs.length > 0) {
        const ownGlyphs = new Set(part.glyphs);
        // If the ink is unknown, so is the side on which the other glyph is.
        const isKnown = area(part.ink) > 0;
        for (const near of wordsNear(model, box)) {
          const word = model.words[near];
          if (!word?.glyphs || areDisjoint(word.box, box)) continue;
          for (const glyph of word.glyphs) {
            if (ownGlyphs.has(glyph) || !(isKnown || area(glyph.ink) > 0)) continue;
            box = excludeInk(box, part.ink, glyph.ink);
          }
        }
      }
      boxes.push(growToMinSide(box));
    }
  }
  return boxes;
}
