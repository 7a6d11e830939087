import { median } from '../geometry.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box, PageResult, Word } from '../results.ts';
import { inRows, sameBase } from '../rows.ts';
import { cellAscent, cellDescent, unreadable, wordGap } from './measures.ts';

/**
 * A part of a line without spaces: a word, or the part of a word that was drawn by one operation.
 */
export type Fragment = Omit<Word, 'line'> & {
  /** The glyph of each UTF-16 unit of `text`; null for recognised text. */
  glyphs: Glyph[] | null;
  visible: boolean;
  /** Direction of the baseline in degrees, clockwise as displayed. */
  angle: number;
  /** The start and end of the baseline, as displayed. */
  start: [number, number];
  end: [number, number];
  size: number;
  /** Whether a space precedes the fragment. */
  spaced: boolean;
  /** The number of the run. Fragments that were drawn by one operation have the same number. */
  run: number;
};

/** Maximum gap in text that one operation draws, in font sizes. */
const runGap = 1.5;
/** Minimum size of visible text, in points. */
const minSize = 0.001;

function along(angle: number, dx: number, dy: number): [number, number] {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [dx * cos + dy * sin, dy * cos - dx * sin];
}

/** Returns the upright box of a glyph from pen to pen, as high as the line. */
export function cellOf({ x, y, angle, size, advance }: Glyph): Box {
  const [up, down] = [-cellAscent * size, cellDescent * size];
  if (angle === 0) return [x, y + up, x + advance, y + down];
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [ax, ay] = [advance * cos, advance * sin];
  return [
    x + Math.min(0, ax) - Math.max(up * sin, down * sin),
    y + Math.min(0, ay) + Math.min(up * cos, down * cos),
    x + Math.max(0, ax) - Math.min(up * sin, down * sin),
    y + Math.max(0, ay) + Math.max(up * cos, down * cos),
  ];
}

/** Whether a glyph starts where the previous glyph in the content ended. */
function continues(next: Glyph, last: Glyph): boolean {
  if (last.visible !== next.visible) return false;
  const turned = Math.abs(((next.angle - last.angle + 540) % 360) - 180);
  if (turned > 2) return false;
  const size = Math.max(last.size, minSize);
  if (next.size > size * 1.6 || size > next.size * 1.6 + minSize) return false;
  const [dx, dy] = along(last.angle, next.x - last.x, next.y - last.y);
  if (Math.abs(dy) > sameBase * size || dx < -0.15 * size) return false;
  return dx - last.advance <= runGap * size;
}

/**
 * Returns the minimum gap between words of a run, which is larger than usual if letters are spaced
 * out.
 */
function gapOf(run: readonly Glyph[]): number {
  const gaps: number[] = [];
  for (const [index, glyph] of run.entries()) {
    const next = run[index + 1];
    if (!next || glyph.text.trim() === '' || next.text.trim() === '') continue;
    gaps.push(along(glyph.angle, next.x - glyph.x, next.y - glyph.y)[0] - glyph.advance);
  }
  const size = run[0]?.size ?? 0;
  const usual = gaps.length < 4 ? 0 : median(gaps);
  return usual > 0.12 * size ? usual * 1.5 + 0.05 * size : wordGap * size;
}

/**
 * Returns the font size of a run. Type 3 fonts may declare any size. If the declared size is so
 * wrong that lines would overlap, the size is measured by the ink.
 */
function trueSize(run: readonly Glyph[]): number {
  const first = run[0];
  if (!first) return 0;
  const level = Math.abs(Math.round(first.angle / 90) % 2) === 0;
  const heights = run.map(({ ink }) => (level ? ink[3] - ink[1] : ink[2] - ink[0]));
  const tallest = Math.max(...heights.slice(0, 1000));
  if (tallest > first.size * 1.4) return tallest / 0.9;
  const letters = run.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).length;
  return letters >= 3 && tallest > 0 && tallest < first.size * 0.3 ? tallest / 0.7 : first.size;
}

/** Maximum relative difference between advances that count as equal, in a font without letters. */
const sameAdvance = 0.02;

/**
 * Aligns the letters of invisible words with the picture of the word. Tesseract writes a space
 * after each word and stretches both to the width of the word, so the letters end one letter too
 * early. They are stretched over the space.
 */
function overTheirBlanks(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.every(({ visible }) => visible)) return glyphs;
  const objects = inRows(glyphs, (glyph, last) => last.object === glyph.object);
  // PDFium omits the space at the end of a line.
  const words = objects.filter(isStretchedWord);
  const isWritten = (word: readonly Glyph[]): boolean => isBlank(word.at(-1));
  const hidden = objects.filter(([first]) => first?.visible === false).length;
  if (words.length < hidden * maxStretched || !words.some(isWritten)) return glyphs;
  const isOne = new Set(words);
  return objects.flatMap((object) => {
    if (!isOne.has(object)) return object;
    const letters = isWritten(object) ? object.slice(0, -1) : object;
    return [...stretched(letters), ...object.slice(letters.length)];
  });
}

/** Minimum share of such stretched words among the invisible texts of a page. */
const maxStretched = 0.9;

const isBlank = (glyph: Glyph | undefined): boolean =>
  glyph?.text.trim() === '' && glyph.text !== '';

/**
 * Whether a text object is a single invisible word, with or without a space, whose letters have
 * equal widths.
 */
function isStretchedWord(object: readonly Glyph[]): boolean {
  const [first] = object;
  if (!first || first.object === 0 || isBlank(first)) return false;
  return object.every(
    (glyph, at) =>
      !glyph.visible &&
      glyph.angle === first.angle &&
      (at === object.length - 1 || !isBlank(glyph)) &&
      Math.abs(glyph.advance - first.advance) <= sameAdvance * first.advance,
  );
}

/** Returns letters that are stretched over the width of one more letter. */
function stretched(letters: readonly Glyph[]): Glyph[] {
  const [first] = letters;
  if (!first) return [];
  const by = (letters.length + 1) / letters.length;
  const [isLevel, isUpright] = [first.angle % 180 === 0, Math.abs(first.angle % 180) === 90];
  const wide = (x: number): number => (isUpright ? x : first.x + (x - first.x) * by);
  const high = (y: number): number => (isLevel ? y : first.y + (y - first.y) * by);
  const placed = ([x0, y0, x1, y1]: Box): Box => [wide(x0), high(y0), wide(x1), high(y1)];
  return letters.map((glyph) => ({
    ...glyph,
    x: wide(glyph.x),
    y: high(glyph.y),
    advance: glyph.advance * by,
    cell: placed(glyph.cell),
    ink: placed(glyph.ink),
  }));
}

/** Returns the fragments of a page's text, in content order. */
export function fragmentsOfGlyphs(all: readonly Glyph[]): Fragment[] {
  const glyphs = overTheirBlanks(all);
  const fragments: Fragment[] = [];
  for (const [number, run] of inRows(glyphs, continues).entries()) {
    const size = trueSize(run);
    const gap = gapOf(run);
    let spaced = false;
    let part: Glyph[] = [];
    const end = (): void => {
      const fragment = fragmentOf(part, size, spaced, number);
      if (fragment) {
        fragments.push(fragment);
        spaced = false;
      }
      part = [];
    };
    for (const glyph of run) {
      const last = part.at(-1);
      if (glyph.text.trim() === '' && glyph.text !== '') {
        end();
        spaced = true;
        continue;
      }
      if (last) {
        const [dx] = along(last.angle, glyph.x - last.x, glyph.y - last.y);
        if (dx - last.advance > gap) {
          end();
          spaced = true;
        }
      }
      part.push(glyph);
    }
    end();
  }
  return fragments;
}

function fragmentOf(
  part: readonly Glyph[],
  size: number,
  spaced: boolean,
  run: number,
): Fragment | undefined {
  const [first] = part;
  const last = part.at(-1);
  if (!first || !last) return undefined;
  const units: Glyph[] = [];
  const box: Box = [...cellOf(first)];
  let text = '';
  for (const glyph of part) {
    const placed = { ...glyph, size, text: glyph.text || unreadable };
    text += placed.text;
    for (let unit = 0; unit < placed.text.length; unit += 1) units.push(placed);
    for (const [x0, y0, x1, y1] of [glyph.ink, cellOf(placed)]) {
      box[0] = Math.min(box[0], x0);
      box[1] = Math.min(box[1], y0);
      box[2] = Math.max(box[2], x1);
      box[3] = Math.max(box[3], y1);
    }
  }
  const radians = (last.angle * Math.PI) / 180;
  return {
    text,
    glyphs: units,
    box,
    confidence: 1,
    source: 'pdf',
    visible: first.visible,
    angle: first.angle,
    start: [first.x, first.y],
    end: [last.x + last.advance * Math.cos(radians), last.y + last.advance * Math.sin(radians)],
    size,
    spaced,
    run,
  };
}

/** Returns the recognised words of a page result, without words from the text of the page. */
export function fragmentsOfResult({
  words,
  lines,
}: Pick<PageResult, 'words' | 'lines'>): Fragment[] {
  const fragments: Fragment[] = [];
  for (const { text, box, confidence, line, source } of words) {
    const set = lines[line];
    if (source !== 'ocr' || !set || text === '') continue;
    const { angle, origin, size } = set;
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const radians = (angle * Math.PI) / 180;
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
    // The upright box of a sloping word is longer than the word.
    const upright = cos * cos - sin * sin;
    const [width, height] = [(box[2] - box[0]) * Math.abs(cos), (box[3] - box[1]) * Math.abs(sin)];
    const length = Math.abs(upright) > 0.3 ? (width - height) / upright : width + height;
    const half = Math.max(Math.abs(length), 0.5) / 2;
    const [middle] = along(angle, x - origin[0], y - origin[1]);
    const at = (shift: number): [number, number] => [
      origin[0] + (middle + shift) * cos,
      origin[1] + (middle + shift) * sin,
    ];
    fragments.push({
      text,
      glyphs: null,
      box,
      confidence,
      source,
      visible: true,
      angle,
      start: at(-half),
      end: at(half),
      size,
      spaced: true,
      run: -1 - line,
    });
  }
  return fragments;
}
