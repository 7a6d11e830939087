import { applyToBox, union, userToDisplay } from '../geometry.ts';
import type { Box, Line, PageFrame, Word } from '../results.ts';
import { type PdfDocument, rawFunction, withSlots } from './pdfium.ts';

const invisibleMode = 3;
const hyphenMark = 0x02;

/** Characters that readers see as text: no spaces, no controls, no unmapped or private codes. */
function isReadable(code: number): boolean {
  return code > 0x20 && code !== 0x7f && code !== 0xa0 && code !== 0xad && code < 0xfffd
    ? !(code >= 0xe000 && code <= 0xf8ff) && !(code >= 0x80 && code < 0xa0)
    : code > 0xffff;
}

/** The characters of a loaded page, for as long as `use` runs; undefined for a page without text. */
function withText<T>(
  { pdfium }: PdfDocument,
  page: number,
  use: (text: Characters) => T,
): T | undefined {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return undefined;
  try {
    return withSlots(pdfium, 4, (at) => use(charactersOf(pdfium, text, at)));
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

type Characters = ReturnType<typeof charactersOf>;

/** Reads the characters of a text page through `at`, which has space for four numbers. */
function charactersOf(pdfium: PdfDocument['pdfium'], text: number, at: number) {
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getUnicode = raw('FPDFText_GetUnicode');
  const hasNoMap = raw('FPDFText_HasUnicodeMapError');
  const getObject = raw('FPDFText_GetTextObject');
  const getMode = raw('FPDFTextObj_GetTextRenderMode');
  const getCell = raw('FPDFText_GetLooseCharBox');
  const getOrigin = raw('FPDFText_GetCharOrigin');
  const drawn = new Map<number, boolean>();
  let floats: Float32Array = new Float32Array();
  let doubles: Float64Array = new Float64Array();
  return {
    count: pdfium.FPDFText_CountChars(text),
    codeAt: (index: number): number => getUnicode(text, index),
    /**
     * Whether the character of a code is readable. For a font without a mapping PDFium returns the codes,
     * which are not text.
     */
    isReadable: (index: number, code: number): boolean =>
      (code === hyphenMark || isReadable(code)) && hasNoMap(text, index) !== 1,
    /** Whether the text object of a character is drawn; each object is queried once. */
    isVisible(index: number): boolean {
      const object = getObject(text, index);
      let visible = drawn.get(object);
      if (visible === undefined) {
        visible = object === 0 || getMode(object) !== invisibleMode;
        drawn.set(object, visible);
      }
      return visible;
    },
    /** Its box in the page's user space, as high as the font; without a box, one of no area. */
    boxAt(index: number): Box | undefined {
      const hasCell = getCell(text, index, at) !== 0;
      // When PDFium's memory grows, existing views of it become empty.
      if (floats.length === 0) {
        const { buffer } = pdfium.heap();
        floats = new Float32Array(buffer, at, 4);
        doubles = new Float64Array(buffer, at, 2);
      }
      // FS_RECTF: left, top, right, bottom.
      const [left = 0, top = 0, right = 0, bottom = 0] = floats;
      if (hasCell && right > left && top > bottom) return [left, bottom, right, top];
      if (getOrigin(text, index, at, at + 8) === 0) return undefined;
      const [x = 0, y = 0] = doubles;
      return [x, y, x, y];
    },
  };
}

/** Counts the readable characters of a loaded page, drawn and invisible (text render mode 3). */
export function countText(
  document: PdfDocument,
  page: number,
): { visible: number; invisible: number } {
  const counts = { visible: 0, invisible: 0 };
  withText(document, page, (text) => {
    for (let index = 0; index < text.count; index += 1) {
      if (!text.isReadable(index, text.codeAt(index))) continue;
      if (text.isVisible(index)) counts.visible += 1;
      else counts.invisible += 1;
    }
  });
  return counts;
}

export type PageText = { words: Word[]; lines: Line[] };

/**
 * The words of a loaded page's own text, in the order of its content, in points as displayed, without an
 * invisible layer if `visibleOnly`.
 */
export function readPageText(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  visibleOnly: boolean,
): PageText {
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
    for (let index = 0; index < text.count; index += 1) {
      const code = text.codeAt(index);
      if (code === 0x0a || code === 0x0d) {
        endWord();
        line = undefined;
        continue;
      }
      if (!text.isReadable(index, code) || (visibleOnly && !text.isVisible(index))) {
        endWord();
        continue;
      }
      const own = text.boxAt(index);
      if (!own) continue;
      const charBox = applyToBox(toDisplay, own);
      if (!line) {
        line = { origin: [charBox[0], charBox[3]], angle: 0, size: 0, paragraph: false };
        lines.push(line);
      }
      // PDFium marks a hyphen at the end of a line as U+0002; a reader sees a hyphen.
      letters += code === hyphenMark ? '-' : String.fromCodePoint(code);
      box = box ? union(box, charBox) : charBox;
    }
    endWord();
  });
  return { words, lines };
}

/** Words as plain text: spaces between words, line breaks as they are, empty lines between paragraphs. */
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
