import { apply, applyToBox, userToDisplay } from '../geometry.ts';
import type { Box, Frame, Line, Word } from '../results.ts';
import { type PdfDocument, readDoubles, readFloats, withSlots } from './pdfium.ts';

const invisibleMode = 3;
const hyphenMark = 0x02;

/** Characters that are text to a reader: no spaces, no controls, no unmapped or private codes. */
function isReadable(code: number): boolean {
  return code > 0x20 && code !== 0x7f && code !== 0xa0 && code !== 0xad && code < 0xfffd
    ? !(code >= 0xe000 && code <= 0xf8ff) && !(code >= 0x80 && code < 0xa0)
    : code > 0xffff;
}

function withText<T>(document: PdfDocument, page: number, use: (text: number) => T): T | undefined {
  const text = document.pdfium.FPDFText_LoadPage(page);
  if (text === 0) return undefined;
  try {
    return use(text);
  } finally {
    document.pdfium.FPDFText_ClosePage(text);
  }
}

/** Says of each character whether its text object is drawn; objects are asked once. */
function visibility(document: PdfDocument, text: number): (index: number) => boolean {
  const { pdfium } = document;
  const known = new Map<number, boolean>();
  return (index) => {
    const object = pdfium.FPDFText_GetTextObject(text, index);
    let visible = known.get(object);
    if (visible === undefined) {
      visible = object === 0 || pdfium.FPDFTextObj_GetTextRenderMode(object) !== invisibleMode;
      known.set(object, visible);
    }
    return visible;
  };
}

/**
 * The character at a place in the text, if a reader can read it. Of a font that does not say what its
 * codes mean PDFium gives the codes, which are no text.
 */
function readableAt({ pdfium }: PdfDocument, text: number, index: number): number | undefined {
  const code = pdfium.FPDFText_GetUnicode(text, index);
  if (code !== hyphenMark && !isReadable(code)) return undefined;
  return pdfium.FPDFText_HasUnicodeMapError(text, index) === 1 ? undefined : code;
}

/** Counts the readable characters of a loaded page, drawn and invisible (text render mode 3). */
export function countText(
  document: PdfDocument,
  page: number,
): { visible: number; invisible: number } {
  const { pdfium } = document;
  const counts = { visible: 0, invisible: 0 };
  withText(document, page, (text) => {
    const isVisible = visibility(document, text);
    const count = pdfium.FPDFText_CountChars(text);
    for (let index = 0; index < count; index += 1) {
      if (readableAt(document, text, index) === undefined) continue;
      if (isVisible(index)) counts.visible += 1;
      else counts.invisible += 1;
    }
  });
  return counts;
}

export type PageText = { words: Word[]; lines: Line[] };

/**
 * The words of a loaded page's own text, in the order of its content, in points as displayed.
 * With `visibleOnly` an invisible layer is left out.
 */
export function readPageText(
  document: PdfDocument,
  page: number,
  frame: Frame,
  visibleOnly: boolean,
): PageText {
  const { pdfium } = document;
  const words: Word[] = [];
  const lines: Line[] = [];
  const toDisplay = userToDisplay(frame);
  let letters = '';
  let box: Box | undefined;
  let line: Line | undefined;

  const endWord = (): void => {
    if (letters !== '' && box && line) {
      words.push({ text: letters, box, confidence: 1, line: lines.length - 1, source: 'pdf' });
      line.size = Math.max(line.size, box[3] - box[1]);
    }
    letters = '';
    box = undefined;
  };

  withText(document, page, (text) => {
    const isVisible = visibility(document, text);
    const count = pdfium.FPDFText_CountChars(text);
    for (let index = 0; index < count; index += 1) {
      const code = pdfium.FPDFText_GetUnicode(text, index);
      if (code === 0x0a || code === 0x0d) {
        endWord();
        line = undefined;
        continue;
      }
      const readable = readableAt(document, text, index);
      if (readable === undefined || (visibleOnly && !isVisible(index))) {
        endWord();
        continue;
      }
      const charBox = readCharBox(document, text, index, toDisplay);
      if (!charBox) continue;
      if (!line) {
        line = { origin: [charBox[0], charBox[3]], angle: 0, size: 0, paragraph: false };
        lines.push(line);
      }
      // PDFium marks a hyphen at the end of a line as U+0002; a reader sees a hyphen.
      letters += readable === hyphenMark ? '-' : String.fromCodePoint(readable);
      box = box ? union(box, charBox) : charBox;
    }
    endWord();
  });
  return { words, lines };
}

function union(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

function readCharBox(
  document: PdfDocument,
  text: number,
  index: number,
  toDisplay: ReturnType<typeof userToDisplay>,
): Box | undefined {
  const { pdfium } = document;
  return withSlots(pdfium, 4, (at) => {
    // FS_RECTF: left, top, right, bottom. The loose box spans the font's height.
    if (pdfium.FPDFText_GetLooseCharBox(text, index, at)) {
      const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
      if (right > left && top > bottom) return applyToBox(toDisplay, [left, bottom, right, top]);
    }
    if (!pdfium.FPDFText_GetCharOrigin(text, index, at, at + 8)) return undefined;
    const [x = 0, y = 0] = readDoubles(pdfium, at, 2);
    const [dx, dy] = apply(toDisplay, x, y);
    return [dx, dy, dx, dy];
  });
}

/** Plain text of words: a space between words, a line for a line, a blank line for a paragraph. */
export function joinWords(words: readonly Word[], lines: readonly Line[]): string {
  let text = '';
  let at = -1;
  let previous = '';
  for (const word of words) {
    if (word.line !== at) {
      if (at >= 0) text += lines[word.line]?.paragraph ? '\n\n' : '\n';
      at = word.line;
    } else if (!(isIdeographic(previous.slice(-1)) && isIdeographic(word.text))) {
      text += ' ';
    }
    text += word.text;
    previous = word.text;
  }
  return text === '' ? '' : `${text}\n`;
}

/** Scripts written without spaces between words. */
function isIdeographic(text: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

/** Characters without white space, counted as code points. */
export function countCharacters(words: readonly Word[]): number {
  let count = 0;
  for (const word of words) for (const letter of word.text) if (letter.trim() !== '') count += 1;
  return count;
}
