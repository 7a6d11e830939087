import { angleBetween, median } from '../geometry.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box, PageResult, Word } from '../results.ts';
import { groupRows, maxBaselineOffset } from '../rows.ts';
import { cellAscent, cellDescent, replacementCharacter, wordGap } from './measures.ts';

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
  blankBefore: boolean;
  /** The number of the run. Fragments that were drawn by one operation have the same number. */
  run: number;
};

/** Maximum gap in text that one operation draws, in font sizes. */
const maxRunGap = 1.5;
/** Minimum size of visible text, in points. */
const minSize = 0.001;

function alongBaseline(angle: number, dx: number, dy: number): [number, number] {
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
function continuesRun(next: Glyph, last: Glyph): boolean {
  if (last.visible !== next.visible) return false;
  if (angleBetween(next.angle, last.angle) > 2) return false;
  const size = Math.max(last.size, minSize);
  if (next.size > size * 1.6 || size > next.size * 1.6 + minSize) return false;
  const [dx, dy] = alongBaseline(last.angle, next.x - last.x, next.y - last.y);
  if (Math.abs(dy) > maxBaselineOffset * size || dx < -0.15 * size) return false;
  return dx - last.advance <= maxRunGap * size;
}

/**
 * Returns the minimum gap between words of a run, which is larger than usual if letters are spaced
 * out.
 */
function wordGapOf(run: readonly Glyph[]): number {
  const gaps: number[] = [];
  for (const [index, glyph] of run.entries()) {
    const next = run[index + 1];
    if (!next || glyph.text.trim() === '' || next.text.trim() === '') continue;
    gaps.push(alongBaseline(glyph.angle, next.x - glyph.x, next.y - glyph.y)[0] - glyph.advance);
  }
  const size = run[0]?.size ?? 0;
  const usualGap = gaps.length < 4 ? 0 : median(gaps);
  return usualGap > 0.12 * size ? usualGap * 1.5 + 0.05 * size : wordGap * size;
}

/**
 * Returns the font size of a run. Type 3 fonts may declare any size. If the declared size is so
 * wrong that lines would overlap, the size is measured by the ink.
 */
function fontSizeOf(run: readonly Glyph[]): number {
  const first = run[0];
  if (!first) return 0;
  const isLevel = Math.abs(Math.round(first.angle / 90) % 2) === 0;
  const heights = run.map(({ ink }) => (isLevel ? ink[3] - ink[1] : ink[2] - ink[0]));
  const tallest = Math.max(...heights.slice(0, 1000));
  if (tallest > first.size * 1.4) return tallest / 0.9;
  const letters = run.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).length;
  return letters >= 3 && tallest > 0 && tallest < first.size * 0.3 ? tallest / 0.7 : first.size;
}

/** Maximum relative difference between advances that count as equal, in a font without letters. */
const maxAdvanceDeviation = 0.02;

/**
 * Aligns the letters of invisible words with the picture of the word. Tesseract writes a space
 * after each word and stretches both to the width of the word, so the letters end one letter too
 * early. They are stretched over the space.
 */
function stretchOverBlanks(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.every(({ visible }) => visible)) return glyphs;
  const objects = groupRows(glyphs, (glyph, last) => last.object === glyph.object);
  // PDFium omits the space at the end of a line.
  const words = objects.filter(isStretchedWord);
  const endsWithBlank = (word: readonly Glyph[]): boolean => isBlank(word.at(-1));
  const hiddenCount = objects.filter(([first]) => first?.visible === false).length;
  if (words.length < hiddenCount * minStretchedShare || !words.some(endsWithBlank)) return glyphs;
  const stretchedWords = new Set(words);
  return objects.flatMap((object) => {
    if (!stretchedWords.has(object)) return object;
    const letters = endsWithBlank(object) ? object.slice(0, -1) : object;
    return [...stretch(letters), ...object.slice(letters.length)];
  });
}

/** Minimum share of stretched words among the invisible text objects of a page. */
const minStretchedShare = 0.9;

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
      Math.abs(glyph.advance - first.advance) <= maxAdvanceDeviation * first.advance,
  );
}

/** Returns letters that are stretched over the width of one more letter. */
function stretch(letters: readonly Glyph[]): Glyph[] {
  const [first] = letters;
  if (!first) return [];
  const factor = (letters.length + 1) / letters.length;
  const [isLevel, isUpright] = [first.angle % 180 === 0, Math.abs(first.angle % 180) === 90];
  const scaleX = (x: number): number => (isUpright ? x : first.x + (x - first.x) * factor);
  const scaleY = (y: number): number => (isLevel ? y : first.y + (y - first.y) * factor);
  const scaleBox = ([x0, y0, x1, y1]: Box): Box => [scaleX(x0), scaleY(y0), scaleX(x1), scaleY(y1)];
  return letters.map((glyph) => ({
    ...glyph,
    x: scaleX(glyph.x),
    y: scaleY(glyph.y),
    advance: glyph.advance * factor,
    cell: scaleBox(glyph.cell),
    ink: scaleBox(glyph.ink),
  }));
}

/** Returns the fragments of a page's text, in content order. */
export function fragmentsOfGlyphs(all: readonly Glyph[]): Fragment[] {
  const glyphs = stretchOverBlanks(all);
  const fragments: Fragment[] = [];
  for (const [number, run] of groupRows(glyphs, continuesRun).entries()) {
    const size = fontSizeOf(run);
    const gap = wordGapOf(run);
    let blankBefore = false;
    let part: Glyph[] = [];
    const endFragment = (): void => {
      const fragment = fragmentOf(part, size, blankBefore, number);
      if (fragment) {
        fragments.push(fragment);
        blankBefore = false;
      }
      part = [];
    };
    for (const glyph of run) {
      const last = part.at(-1);
      if (glyph.text.trim() === '' && glyph.text !== '') {
        endFragment();
        blankBefore = true;
        continue;
      }
      if (last) {
        const [dx] = alongBaseline(last.angle, glyph.x - last.x, glyph.y - last.y);
        if (dx - last.advance > gap) {
          endFragment();
          blankBefore = true;
        }
      }
      part.push(glyph);
    }
    endFragment();
  }
  return fragments;
}

function fragmentOf(
  part: readonly Glyph[],
  size: number,
  blankBefore: boolean,
  run: number,
): Fragment | undefined {
  const [first] = part;
  const last = part.at(-1);
  if (!first || !last) return undefined;
  const units: Glyph[] = [];
  const box: Box = [...cellOf(first)];
  let text = '';
  for (const glyph of part) {
    const sizedGlyph = { ...glyph, size, text: glyph.text || replacementCharacter };
    text += sizedGlyph.text;
    for (let unit = 0; unit < sizedGlyph.text.length; unit += 1) units.push(sizedGlyph);
    for (const [x0, y0, x1, y1] of [glyph.ink, cellOf(sizedGlyph)]) {
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
    blankBefore,
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
    const resultLine = lines[line];
    if (source !== 'ocr' || !resultLine || text === '') continue;
    const { angle, origin, size } = resultLine;
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const radians = (angle * Math.PI) / 180;
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
    // The upright box of a sloping word is longer than the word.
    const doubleAngleCosine = cos * cos - sin * sin;
    const [width, height] = [(box[2] - box[0]) * Math.abs(cos), (box[3] - box[1]) * Math.abs(sin)];
    const length =
      Math.abs(doubleAngleCosine) > 0.3 ? (width - height) / doubleAngleCosine : width + height;
    const half = Math.max(Math.abs(length), 0.5) / 2;
    const [middle] = alongBaseline(angle, x - origin[0], y - origin[1]);
    const pointAt = (shift: number): [number, number] => [
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
      start: pointAt(-half),
      end: pointAt(half),
      size,
      blankBefore: true,
      run: -1 - line,
    });
  }
  return fragments;
}
