import { hull } from '../../geometry.ts';
import { advanceOf, type Glyph, isLigature, readText } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, withSlots } from '../../pdf/pdfium.ts';
import type { PageFrame } from '../../results.ts';
import { unreadable } from '../measures.ts';
import { joiner, shaped, symbolOf, turnedLetter } from './characters.ts';
import { withToldCodes } from './codes.ts';
import { type TextState, textStateReader } from './text-state.ts';
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

/**
 * Maximum number of letters of one glyph: more than any ligature, or any letter with all its
 * vowels.
 */
const maxTogether = 12;
/** Minimum size of visible text, in points. */
const minSize = 0.5;
/** Maximum width of a glyph that counts as zero, in font sizes. */
const noWidth = 0.05;
/**
 * Maximum distance of the shadow of a letter, and maximum overlap of adjacent letters, in font
 * sizes.
 */
const shadow = 0.15;
const maxOver = 0.5;

type OwnText = {
  words: LeaningWord[];
  /** Text that is not drawn, such as a recognised layer below a scan. */
  hidden: LeaningWord[];
};

/**
 * Reads the words of a page's text in content order. The recognised text determines whether fonts
 * without a mapping can be read.
 * @throws EngineError `too_large` if the page has too many glyphs.
 */
export function readOwnText(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  recognised: readonly LeaningWord[] = [],
  glyphs: readonly Glyph[] = readText(document, page, frame, { withInk: false }),
): OwnText {
  return ownText(document, withToldCodes(document, glyphs, recognised));
}

/** Returns the words of glyphs that come from `readText`, while their page is loaded. */
export function ownText(document: PdfDocument, glyphs: readonly Glyph[]): OwnText {
  return withSlots(document.pdfium, 4, (at) => wordsOf(glyphs, textStateReader(document, at)));
}

/** Returns the text of a glyph, which is a symbol if the font is a symbol font. */
const readsOf = ({ text, code }: Glyph, { symbols }: TextState): string =>
  symbols && code > 0x20 ? symbolOf(code) : text;

/**
 * Returns the advance of a glyph. Type 3 fonts may have one box for all letters. In that case, the
 * advance is measured to the next letter of the same text, unless that letter is the shadow of the
 * glyph.
 */
function reachOf(glyph: Glyph, next: Glyph | undefined, { cos, sin, size }: TextState): number {
  if (next?.object !== glyph.object) return glyph.advance;
  const onward = (next.x - glyph.x) * cos + (next.y - glyph.y) * sin;
  const isShort = onward > shadow * size && glyph.advance - onward > maxOver * size;
  return isShort ? onward : glyph.advance;
}

/**
 * Whether a space ends an invisible text. Tesseract and others write each word with a space and
 * stretch both to the width of the word in the picture. The word therefore ends where its space
 * ends.
 */
function isEndOfLayerWord(glyphs: readonly Glyph[], index: number, { seen }: TextState): boolean {
  const [before, space, after] = [glyphs[index - 1], glyphs[index], glyphs[index + 1]];
  if (seen || !space || space.inserted || before?.object !== space.object) return false;
  return after?.object !== space.object;
}

/**
 * Returns the text of a right-to-left glyph, and the number of following glyphs at its position.
 */
function together(
  glyphs: readonly Glyph[],
  index: number,
  letter: Letter,
): { letter: Letter; more: number } {
  const first = glyphs[index];
  let { reads } = letter;
  let cell = first?.cell;
  let more = 0;
  // The letters of one glyph arrive separately at one position; PDFium may reverse them.
  for (; first && first.advance > 0 && more < maxTogether - 1; more += 1) {
    const next = glyphs[index + more + 1];
    if (next?.object !== first.object || next.x !== first.x || next.y !== first.y) break;
    if (Math.abs(next.advance - first.advance) > 0.01 * first.size) break;
    reads = next.text + reads;
    cell = hull([cell ?? next.cell, next.cell]);
  }
  if (!first || !cell || more === 0) return { letter, more: 0 };
  const advance = advanceOf(cell, first.angle) ?? first.advance;
  return { letter: { ...letter, reads, advance, together: true }, more };
}

/** Returns the letter of a glyph; undefined for text that is not meant to be visible. */
function letterOf(
  { x, y }: Glyph,
  text: string,
  state: TextState,
  advance: number,
): Letter | undefined {
  if ((text === '' && !state.seen) || state.size < minSize) return undefined;
  const reads = shaped.test(text) ? text.normalize('NFKC') : text || unreadable;
  const turned = reads > '\u0590' && turnedLetter.test(reads);
  return { reads, state, x, y, advance, turned, together: false };
}

/** Returns the words of glyphs in content order. */
function wordsOf(glyphs: readonly Glyph[], stateOf: (glyph: Glyph) => TextState): OwnText {
  const found: OwnText = { words: [], hidden: [] };
  let draft: Draft | undefined;
  /** The position of the last space, if no word has followed it. */
  let blank: Place | undefined;
  let turns = false;
  const end = (): void => {
    const word = draft && wordOf(draft);
    if (word) (draft?.state.seen ? found.words : found.hidden).push(word);
    draft = undefined;
  };
  for (let index = 0; index < glyphs.length; index += 1) {
    const glyph = glyphs[index];
    if (!glyph || glyph.object === 0) continue;
    const state = stateOf(glyph);
    const reads = readsOf(glyph, state);
    const advance = reachOf(glyph, glyphs[index + 1], state);
    if (reads === ' ') {
      // A joiner without width prevents letters from joining inside a word.
      if (draft?.turned && advance < noWidth * state.size) continue;
      // In text that runs from right to left, the previous text may be on either side.
      blank = turns ? { x: glyph.x, y: glyph.y } : { x: Number.NaN, y: Number.NaN };
      if (draft) setBlank(draft, blank, 'after');
      if (draft && !draft.turned && isEndOfLayerWord(glyphs, index, state)) draft.to += advance;
      end();
      continue;
    }
    if (draft?.turned && joiner.test(reads)) {
      // The letter is invisible, so its font does not matter.
      draft.units.push(reads);
      continue;
    }
    let letter = letterOf(glyph, reads, state, advance);
    if (!letter) continue;
    turns ||= letter.turned;
    if (letter.turned) {
      const all = together(glyphs, index, letter);
      letter = all.letter;
      index += all.more;
    } else {
      // A ligature arrives as separate letters; the last letter ends where the ligature ends.
      for (
        let next = glyphs[index + 1];
        next && isLigature(glyph, next);
        next = glyphs[index + 1]
      ) {
        letter = { ...letter, reads: letter.reads + next.text, advance: next.advance };
        index += 1;
      }
    }
    if (draft && extend(draft, letter)) continue;
    end();
    draft = draftOf(letter);
    if (blank) setBlank(draft, blank, 'before');
    blank = undefined;
  }
  end();
  return found;
}
