import { EngineError } from '../../../errors.ts';
import { type Matrix, userToDisplay } from '../../../geometry.ts';
import { unreadable } from '../../../model/measures.ts';
import { readAs } from '../../../pdf/page-glyphs.ts';
import { type PdfDocument, rawFunction, withSlots } from '../../../pdf/pdfium.ts';
import type { Frame } from '../../../results.ts';
import { joiner, shaped, symbolOf, turnedLetter } from './characters.ts';
import { advanceOf, type TextState, textStateReader } from './text-state.ts';
import type { LeaningWord } from './word.ts';
import {
  type Draft,
  draftOf,
  extend,
  type Letter,
  type Place,
  setBlank,
  wordOf,
} from './word-draft.ts';

/** Far more than on a page that people read; a page with more is rejected. */
const mostLetters = 300_000;
/** Letters that one glyph may map to: more than any ligature has, or a letter with all its vowels. */
const mostTogether = 12;
/** Text of a smaller size, in points, is not meant to be seen. */
const leastSize = 0.5;

type OwnText = {
  words: LeaningWord[];
  /** Text that is not drawn, such as a recognised layer under a scan. */
  hidden: LeaningWord[];
  /** Number of letters that the font does not map to text. */
  unread: number;
};

/** The page's own words in the order of its content. Throws EngineError too_large. */
export function readOwnText(document: PdfDocument, page: number, frame: Frame): OwnText {
  const { pdfium } = document;
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return { words: [], hidden: [], unread: 0 };
  try {
    const count = pdfium.FPDFText_CountChars(text);
    if (count > mostLetters) {
      throw new EngineError('too_large', 'A page of the PDF has too much text.');
    }
    return withSlots(pdfium, 12, (at) =>
      readWords(document, { text, count }, userToDisplay(frame), at),
    );
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

function readWords(
  document: PdfDocument,
  { text, count }: { text: number; count: number },
  toDisplay: Matrix,
  at: number,
): OwnText {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getObject = raw('FPDFText_GetTextObject');
  const getOrigin = raw('FPDFText_GetCharOrigin');
  const getCell = raw('FPDFText_GetLooseCharBox');
  const getUnicode = raw('FPDFText_GetUnicode');
  const hasNoMap = raw('FPDFText_HasUnicodeMapError');
  const stateOf = textStateReader(document, text, toDisplay, at);
  const found: OwnText = { words: [], hidden: [], unread: 0 };
  let draft: Draft | undefined;
  /** The position of the last space that no word followed yet. */
  let blank: Place | undefined;
  let turns = false;
  let object = 0;
  let state: TextState | undefined;
  let doubles: Float64Array = new Float64Array();
  let floats: Float32Array = new Float32Array();
  const end = (): void => {
    if (draft) {
      const word = wordOf(draft);
      if (word) (draft.state.seen ? found.words : found.hidden).push(word);
    }
    draft = undefined;
  };
  const [ta, tb, tc, td, te, tf] = toDisplay;
  for (let index = 0; index < count; index += 1) {
    const holder = getObject(text, index);
    // Spaces and line ends that PDFium inserts belong to no text object.
    if (holder === 0) continue;
    if (holder !== object || !state) {
      object = holder;
      state = stateOf(holder, index);
    }
    const code = getUnicode(text, index);
    let reads = hasNoMap(text, index) === 0 ? readAs(code) : '';
    if (state.symbols && code > 0x20) reads = symbolOf(code);
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < count) {
      const low = getUnicode(text, index + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        reads = String.fromCharCode(code, low);
        index += 1;
      }
    }
    if (reads === ' ') {
      if (draft?.turned && getCell(text, index, at + 16) !== 0) {
        // A joiner without width keeps letters from joining, within a word.
        const [l = 0, , r = 0] = new Float32Array(pdfium.heap().buffer, at + 16, 4);
        if (tb === 0 && Math.abs(r - l) < 0.05 * state.size) continue;
      }
      blank = { x: Number.NaN, y: Number.NaN };
      // In text that runs from the right, the previous text may be on either side.
      if (turns && getOrigin(text, index, at, at + 8) !== 0) {
        const [bx = 0, by = 0] = new Float64Array(pdfium.heap().buffer, at, 2);
        blank = { x: ta * bx + tc * by + te, y: tb * bx + td * by + tf };
      }
      if (draft) setBlank(draft, blank, 'after');
      end();
      continue;
    }
    if (draft?.turned && joiner.test(reads)) {
      // It is invisible, so its font does not matter.
      draft.units.push(reads);
      continue;
    }
    if (reads === '') {
      found.unread += 1;
      if (!state.seen) continue;
      reads = unreadable;
    }
    if (state.size < leastSize || getOrigin(text, index, at, at + 8) === 0) continue;
    const cell = getCell(text, index, at + 16) !== 0;
    // When PDFium's memory grows, existing views of it become empty.
    if (doubles.length === 0) {
      const { buffer } = pdfium.heap();
      doubles = new Float64Array(buffer, at, 2);
      floats = new Float32Array(buffer, at + 16, 4);
    }
    const px = doubles[0] ?? 0;
    const py = doubles[1] ?? 0;
    const [l = 0, , r = 0] = floats;
    let width = Math.abs(r - l);
    const height = Math.abs((floats[1] ?? 0) - (floats[3] ?? 0));
    const x = ta * px + tc * py + te;
    const y = tb * px + td * py + tf;
    const { size } = state;
    if (shaped.test(reads)) reads = reads.normalize('NFKC');
    const turned = reads > '\u0590' && turnedLetter.test(reads);
    turns ||= turned;
    let together = false;
    if (turned && cell && width > 0) {
      // The letters of one glyph arrive one by one at one position, also reversed by PDFium.
      let [from, to] = [Math.min(l, r), Math.max(l, r)];
      for (let more = 1; more < mostTogether && index + 1 < count; more += 1) {
        const next = index + 1;
        if (getObject(text, next) !== holder || getOrigin(text, next, at, at + 8) === 0) break;
        if (doubles[0] !== px || doubles[1] !== py || getCell(text, next, at + 16) === 0) break;
        const [l = 0, , r = 0] = floats;
        if (Math.abs(Math.abs(r - l) - width) > 0.01 * size) break;
        reads = readAs(getUnicode(text, next)) + reads;
        [from, to] = [Math.min(from, l, r), Math.max(to, l, r)];
        index = next;
        together = true;
      }
      width = to - from;
    }
    const advance = cell ? advanceOf(width, height, state, tb !== 0) : size / 2;
    if (!Number.isFinite(x + y + advance)) continue;
    const letter: Letter = { reads, state, x, y, advance, turned, together };
    if (draft && extend(draft, letter)) continue;
    end();
    draft = draftOf(letter);
    if (blank) setBlank(draft, blank, 'before');
    blank = undefined;
  }
  end();
  return found;
}
