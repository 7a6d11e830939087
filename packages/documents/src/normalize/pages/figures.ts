import { applyToBox, area, hull, sharedArea } from '../../geometry.ts';
import { displayBoxOf, type LevelPage, toDisplayBox } from '../../model/words/level-page.ts';
import { mainSize, type TextLine, textLines } from '../../model/words/lines.ts';
import type { AngledWord, PageWord } from '../../model/words/word.ts';
import type { PageShapes } from '../../pdf/page-shapes.ts';
import type { Box } from '../../results.ts';
import type { FixedItem } from './blocks.ts';
import { spansOf } from './line-text.ts';

/**
 * The minimum shorter side of a picture, in points, and its minimum area. Smaller pictures are
 * ornaments.
 */
const minSide = 24;
const minArea = 1600;
/**
 * The maximum share of the page that a picture covers. A larger one is the background or a scan.
 */
const maxPageShare = 0.6;
/** The maximum number of pictures that are joined. More are tiles or ornaments. */
const maxPictures = 120;
/**
 * The maximum distance of a label from its drawing, in points. Labels of photographs are inside
 * them.
 */
const labelDistance = { x: 26, y: 10 };
/** The maximum number of words and of characters in a label. A longer line is small print. */
const maxWords = 6;
const maxLetters = 40;
/** The minimum number of words in a caption or credit beside a picture. */
const minCaptionWords = 4;
/** The first word of a caption. A caption is near its picture but is not a label. */
const captionWord =
  /^(?:fig(?:ure)?s?|table|tab|abb(?:ildung)?|tabelle|chart|exhibit|scheme|plate)\b/i;
/** The maximum number of pictures that are examined. */
const maxBoxes = 500;
/** The maximum size of labels, relative to the running text, unless they have few words. */
const maxLabelSizeRatio = 0.95;
/** The maximum distance between shapes of one drawing, in points. */
const gridStep = 12;
/** The minimum number of shapes in a drawing that are not plain lines or boxes. */
const minShapes = 8;
const maxPlainSegments = 6;
/** The thickness below which shapes are lines, in points. */
const maxLineThickness = 3;

/** Joins boxes that touch on a coarse grid. The time is linear in the area that they cover. */
function drawingsOf(page: LevelPage, shapes: PageShapes): Box[] {
  const { width, height, toLevel } = page;
  const columns = Math.ceil(width / gridStep);
  const rows = Math.ceil(height / gridStep);
  if (columns * rows > 100_000) return [];
  const cells = new Int32Array(columns * rows);
  const clamp = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));
  for (const { box, segments } of shapes.paths) {
    const [x0, y0, x1, y1] = toLevel ? applyToBox(toLevel, box) : box;
    if (x1 < 0 || y1 < 0 || x0 > width || y0 > height) continue;
    if ((x1 - x0) * (y1 - y0) > 0.2 * width * height) continue;
    // Some programs draw each side of a border as a separate shape.
    const isLine = Math.min(x1 - x0, y1 - y0) < maxLineThickness;
    const weight = segments > maxPlainSegments && !isLine ? 1 << 12 : 1;
    const [from, to] = [
      clamp(Math.floor(x0 / gridStep), columns),
      clamp(Math.floor(x1 / gridStep), columns),
    ];
    const [top, bottom] = [
      clamp(Math.floor(y0 / gridStep), rows),
      clamp(Math.floor(y1 / gridStep), rows),
    ];
    for (let row = top; row <= bottom; row += 1) {
      for (let column = from; column <= to; column += 1) {
        const at = row * columns + column;
        cells[at] = (cells[at] ?? 0) | 1;
      }
    }
    const at = top * columns + from;
    cells[at] = Math.min(1 << 30, (cells[at] ?? 0) + (weight > 1 ? weight : 0));
  }
  const found: Box[] = [];
  const stack: number[] = [];
  for (let start = 0; start < cells.length; start += 1) {
    if (cells[start] === 0) continue;
    let [left, top, right, bottom, shapeCount] = [columns, rows, 0, 0, 0];
    stack.push(start);
    shapeCount += (cells[start] ?? 0) >> 12;
    cells[start] = 0;
    while (stack.length > 0) {
      const at = stack.pop() ?? 0;
      const [row, column] = [Math.floor(at / columns), at % columns];
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
          const next = y * columns + x;
          if (cells[next] === 0) continue;
          shapeCount += (cells[next] ?? 0) >> 12;
          cells[next] = 0;
          stack.push(next);
        }
      }
    }
    if (shapeCount < minShapes) continue;
    found.push([left * gridStep, top * gridStep, (right + 1) * gridStep, (bottom + 1) * gridStep]);
  }
  return found;
}

/** Joins pictures that have no running text between them. */
function joinPictures(boxes: readonly Box[], prose: readonly PageWord[]): Box[] {
  if (boxes.length > maxPictures) return [...boxes];
  const out: Box[] = [];
  for (const box of [...boxes].sort((a, b) => a[1] - b[1])) {
    let joined = box;
    for (let at = out.length - 1; at >= 0; at -= 1) {
      const other = out[at];
      const union = other && hull([other, joined]);
      if (!other || !union) continue;
      const isNear =
        other[0] < joined[2] + 30 &&
        other[2] > joined[0] - 30 &&
        other[3] > joined[1] - 30 &&
        other[1] < joined[3] + 30;
      if (!isNear || prose.some((word) => sharedArea(word.box, union) > 0.5 * area(word.box)))
        continue;
      joined = union;
      out.splice(at, 1);
    }
    out.push(joined);
  }
  return out;
}

/** Whether a line is running text, even if it is small. */
function isSmallPrint({ words }: TextLine, minWords: number): boolean {
  const count = words.filter(({ text }) => /\p{L}{2}/u.test(text)).length;
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return count >= minWords || (letters >= maxLetters && count >= minCaptionWords);
}

/** Returns the boxes of the words that are labels, without small print and the text next to it. */
function labelsAmong(words: readonly PageWord[], boxes: readonly Box[]): Set<Box> {
  const lines = textLines(words);
  const isInside = ({ from, to, base, size }: TextLine): boolean =>
    boxes.some(([x0, y0, x1, y1]) => from > x0 - 2 && to < x1 + 2 && base > y0 && base - size < y1);
  const smallPrint = new Set(
    lines.filter((line) => isSmallPrint(line, isInside(line) ? maxWords : minCaptionWords)),
  );
  // The first and the last line of a paragraph may also be short.
  for (const list of [lines, [...lines].reverse()]) {
    for (const [at, line] of list.entries()) {
      if (!smallPrint.has(line)) continue;
      for (const next of list.slice(at + 1, at + 6)) {
        const isNear = Math.abs(next.base - line.base) < 1.6 * line.size;
        const hasSameSize = Math.abs(next.size - line.size) < 0.1 * line.size;
        if (isNear && hasSameSize && next.from < line.to && next.to > line.from)
          smallPrint.add(next);
      }
    }
  }
  return new Set(
    lines.flatMap((line) => (smallPrint.has(line) ? [] : line.words.map(({ box }) => box))),
  );
}

/** Returns the text in a picture, from top to bottom. */
function textInPicture(
  box: Box,
  labels: readonly PageWord[],
  rotatedTexts: readonly string[],
): string | null {
  const [x0, y0, x1, y1] = box;
  const pictureLabels = labels.filter(
    ({ box: [left, , right], base }) =>
      right > x0 - labelDistance.x &&
      left < x1 + labelDistance.x &&
      base > y0 - labelDistance.y &&
      base < y1 + 2 * labelDistance.y,
  );
  const lines = textLines(pictureLabels).map(({ words }) =>
    spansOf(words, true)
      .map(({ text }) => text)
      .join(''),
  );
  return [...lines, ...rotatedTexts].join('\n') || null;
}

/**
 * Returns the pictures and drawings of a page, and the remaining words without the labels of
 * pictures. The text of a figure belongs to the picture and not to the running text.
 */
export function picturesOf(
  page: LevelPage,
  shapes: PageShapes,
  words: readonly PageWord[],
  rotatedWords: readonly AngledWord[],
): {
  fixedItems: FixedItem[];
  drawings: Box[];
  otherWords: PageWord[];
  rotatedWords: AngledWord[];
} {
  const { toLevel, width, height } = page;
  const maxArea = maxPageShare * width * height;
  const isPicture = (box: Box): boolean =>
    Math.min(box[2] - box[0], box[3] - box[1]) >= minSide &&
    area(box) >= minArea &&
    area(box) < maxArea;
  const clip = ([x0, y0, x1, y1]: Box): Box => [
    Math.max(0, x0),
    Math.max(0, y0),
    Math.min(width, x1),
    Math.min(height, y1),
  ];
  const pictures = shapes.pictures
    .map((box) => clip(toLevel ? applyToBox(toLevel, box) : box))
    .filter(isPicture);
  const drawings = drawingsOf(page, shapes).map(clip).filter(isPicture);
  const boxes = [...pictures, ...drawings].slice(0, maxBoxes);
  if (boxes.length === 0)
    return {
      fixedItems: [],
      drawings,
      otherWords: [...words],
      rotatedWords: [...rotatedWords],
    };
  const body = mainSize(words);
  const captions = words.filter(({ text }) => captionWord.test(text));
  const isCaption = (word: PageWord): boolean =>
    captions.some(
      ({ base, box, size }) =>
        word.base > base - 2 &&
        word.base < base + 8 * size &&
        word.box[0] > box[0] - 3 * size &&
        Math.abs(word.size - size) < 0.15 * size,
    );
  const isAt = (x: number, y: number): boolean =>
    boxes.some(([x0, y0, x1, y1], at) => {
      const [dx, dy] = at < pictures.length ? [0, 0] : [labelDistance.x, labelDistance.y];
      return x > x0 - dx && x < x1 + dx && y > y0 - dy && y < y1 + dy;
    });
  const candidates = words.filter(
    (word) =>
      word.source === 'pdf' &&
      word.size < maxLabelSizeRatio * body &&
      isAt((word.box[0] + word.box[2]) / 2, word.base - 0.3 * word.size) &&
      !isCaption(word),
  );
  const found = labelsAmong(candidates, boxes);
  // If most words are labels, they remain text, because the page has little other text.
  const isChart = 2 * found.size > words.length;
  const isLabel = ({ box }: PageWord): boolean => !isChart && found.has(box);
  const labels = words.filter(isLabel);
  const otherWords = words.filter((word) => !isLabel(word));
  const rotatedBoxes = rotatedWords.map((word) => {
    const displayBox = displayBoxOf(word, displaySizeOf(page));
    const box = toLevel ? applyToBox(toLevel, displayBox) : displayBox;
    return isAt((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) ? box : null;
  });
  const fixedItems = joinPictures(boxes, otherWords).map((box): FixedItem => {
    const rotatedLabels = rotatedWords.filter((_, at) => {
      const rotatedBox = rotatedBoxes[at];
      return (
        rotatedBox &&
        sharedArea(rotatedBox, [
          box[0] - labelDistance.x,
          box[1],
          box[2] + labelDistance.x,
          box[3],
        ]) > 0
      );
    });
    const text = textInPicture(
      box,
      labels,
      rotatedLabels.length === 0 ? [] : [textOfWords(rotatedLabels)],
    );
    const displayBox = toDisplayBox(page, box);
    return { box, block: { kind: 'picture', box: displayBox, confidence: 1, alt: null, text } };
  });
  return {
    fixedItems,
    drawings,
    otherWords,
    rotatedWords: rotatedWords.filter((_, at) => rotatedBoxes[at] === null),
  };
}

const textOfWords = (words: readonly AngledWord[]): string =>
  words.map(({ text }) => text).join(' ');

function displaySizeOf({ width, height, toDisplay }: LevelPage): { width: number; height: number } {
  const isSideways = toDisplay !== null && Math.abs(toDisplay[1]) > 0.7;
  return isSideways ? { width: height, height: width } : { width, height };
}
