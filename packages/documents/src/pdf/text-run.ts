import { credibleWords } from '../credible.ts';
import {
  apply,
  compose,
  invert,
  type Matrix,
  rotateAbout,
  turn,
  userToDisplay,
} from '../geometry.ts';
import type { Line, PageFrame, PageResult, Word } from '../results.ts';
import { type Encoding, glyphAdvance } from './glyphless-font.ts';

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
/** A run of right-to-left characters, including its marks. */
const rightToLeftRun =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{M}]+/u;

/** Returns a number in PDF syntax: without an exponent or trailing zeros. */
export function pdfNumber(value: number, decimals = 2): string {
  const text = value.toFixed(decimals);
  const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return trimmed === '-0' ? '0' : trimmed;
}

/** Returns the six numbers of a matrix as operands of `cm` and `Tm`. */
export function pdfMatrix([a, b, c, d, e, f]: Matrix): string {
  const linear = [a, b, c, d].map((value) => pdfNumber(value, 5));
  return [...linear, pdfNumber(e), pdfNumber(f)].join(' ');
}

/**
 * Returns letters in the order in which they are displayed. PDF readers expect right-to-left text
 * in this order and reverse it.
 */
function toVisualOrder(text: string): string {
  if (!rightToLeft.test(text)) return text;
  const runs: string[] = [];
  let remaining = text;
  while (remaining !== '') {
    const match = rightToLeftRun.exec(remaining);
    const run =
      match?.index === 0 ? match[0] : remaining.slice(0, match?.index ?? remaining.length);
    runs.push(match?.index === 0 ? [...run].reverse().join('') : run);
    remaining = remaining.slice(run.length);
  }
  return runs.reverse().join('');
}

type Span = { text: string; from: number; to: number };

/**
 * Returns the position of a word along the baseline of its line, without the width that the slope
 * adds to its upright box.
 */
function spanOf(word: Word, line: Line): Span {
  const radians = (line.angle * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const [x0, y0, x1, y1] = word.box;
  const along = ((x0 + x1) / 2 - line.origin[0]) * cos + ((y0 + y1) / 2 - line.origin[1]) * sin;
  const upright = cos * cos - sin * sin;
  const width = (x1 - x0) * Math.abs(cos);
  const height = (y1 - y0) * Math.abs(sin);
  const length = Math.abs(upright) > 0.3 ? (width - height) / upright : width + height;
  const halfLength = Math.max(length, 0.5) / 2;
  return { text: word.text, from: along - halfLength, to: along + halfLength };
}

/**
 * Maximum angle between a line and its page at which the line is aligned with the page, in degrees.
 */
const maxLineSkew = 3;

/**
 * Returns the start and direction of a line of `length` points. PDF readers sort text by height and
 * would mix the words of sloping lines. All lines of a page therefore get the same direction:
 * horizontal, or the angle of the page if it is straightened. On a sloping page, the height of a
 * line is its height at the middle of the page. Horizontal positions stay exact.
 */
function alignLine(
  line: Line,
  { from, length }: { from: number; length: number },
  result: PageResult,
): { at: [number, number]; angle: number } {
  const radians = (line.angle * Math.PI) / 180;
  const x = line.origin[0] + from * Math.cos(radians);
  const y = line.origin[1] + from * Math.sin(radians);
  const pageAngle = -result.orientation;
  const lineSkew = ((((line.angle - pageAngle + 180) % 360) + 360) % 360) - 180;
  const deviation = lineSkew - result.skewDegrees;
  if (Math.abs(deviation) >= maxLineSkew) return { at: [x, y], angle: line.angle };
  const turnMatrix = turn(result.widthPt, result.heightPt, result.orientation);
  const [tx, ty] = apply(turnMatrix, x, y);
  // An additional slope of the line is corrected around the middle of the line.
  const correctedY = ty + Math.tan((deviation * Math.PI) / 180) * (length / 2);
  if (deskewMatrixOf(result)) {
    return { at: apply(invert(turnMatrix), tx, correctedY), angle: pageAngle + result.skewDegrees };
  }
  const middle = (result.orientation % 180 === 0 ? result.widthPt : result.heightPt) / 2;
  const height = correctedY + Math.tan((result.skewDegrees * Math.PI) / 180) * (middle - tx);
  return { at: apply(invert(turnMatrix), tx, height), angle: pageAngle };
}

/** Writes a line as text operators: one matrix, then each word stretched to its width. */
function writeLine(
  line: Line,
  words: readonly Word[],
  result: PageResult,
  map: Matrix,
  encoding: Encoding,
): string {
  const spans = words.map((word) => spanOf(word, line));
  if (words.some(({ text }) => rightToLeft.test(text))) spans.sort((a, b) => a.from - b.from);
  const [first] = spans;
  if (!first) return '';
  const length = (spans.at(-1)?.to ?? first.to) - first.from;
  const start = alignLine(line, { from: first.from, length }, result);
  const radians = (start.angle * Math.PI) / 180;
  const [ux, uy] = [Math.cos(radians), Math.sin(radians)];
  const [a, b, c, d] = map;
  const [vx, vy] = [a * ux + c * uy, b * ux + d * uy];
  const origin = apply(map, ...start.at);
  let out = `/${fontName} ${pdfNumber(line.size)} Tf ${pdfMatrix([vx, vy, -vy, vx, ...origin])} Tm\n`;
  const size = Number(pdfNumber(line.size));
  const space = encoding.encode(' ').digits;
  let pen = first.from;
  spans.forEach((span, index) => {
    const { digits, codes } = encoding.encode(toVisualOrder(span.text));
    const naturalWidth = codes * glyphAdvance * size;
    const start = Math.max(span.from, pen);
    const width = Math.max(span.to - start, size * 0.05);
    const stretch = Math.max(0.01, Number(pdfNumber((width / naturalWidth) * 100)));
    if (index === 0) {
      out += `${pdfNumber(stretch)} Tz<${digits}>Tj\n`;
      pen = start + (naturalWidth * stretch) / 100;
      return;
    }
    // A space precedes each word, so that readers do not have to guess where words end. The
    // difference to the position of the word is corrected in thousandths of the stretched size.
    const unit = (size * stretch) / 100;
    const shift = pdfNumber(((pen + glyphAdvance * unit - start) / unit) * 1000, 0);
    out += `${pdfNumber(stretch)} Tz[<${space}>${shift}<${digits}>]TJ\n`;
    pen += glyphAdvance * unit - (Number(shift) / 1000) * unit + (naturalWidth * stretch) / 100;
  });
  return out;
}

/** The name of the font in a page's resources. */
export const fontName = 'ScriptoriumText';

/**
 * Returns the matrix that straightens a page: a rotation around its centre, in points as displayed.
 */
export function deskewMatrixOf(result: PageResult): Matrix | undefined {
  if (!result.deskew || result.skewDegrees === 0) return undefined;
  return rotateAbout(result.widthPt / 2, result.heightPt / 2, -result.skewDegrees);
}

/** Returns the map from points as displayed to the user space of the page in the searchable PDF. */
export function displayToUser(result: PageResult): Matrix {
  const frame: PageFrame = result.frame ?? {
    left: 0,
    bottom: 0,
    width: result.widthPt,
    height: result.heightPt,
    rotation: 0,
  };
  return invert(userToDisplay(frame));
}

/**
 * Returns the invisible text (render mode 3) of a page as content-stream operators in reading
 * order. Empty if the page already has text. Only recognised words are written.
 */
export function writeTextLayer(result: PageResult, encoding: Encoding): string {
  const deskewMatrix = deskewMatrixOf(result);
  const toUser = displayToUser(result);
  const map = deskewMatrix ? compose(toUser, deskewMatrix) : toUser;
  const byLine = new Map<number, Word[]>();
  for (const word of credibleWords(result.words)) {
    if (word.source !== 'ocr') continue;
    const line = byLine.get(word.line);
    if (line) line.push(word);
    else byLine.set(word.line, [word]);
  }
  let text = '';
  for (const [index, words] of byLine) {
    const line = result.lines[index];
    if (line) text += writeLine(line, words, result, map, encoding);
  }
  return text === '' ? '' : `BT\n3 Tr\n${text}ET\n`;
}
