import { hull } from '../../geometry.ts';
import { advanceOf, type Glyph, isLigature, readText } from '../../pdf/page-glyphs.ts';
import { type PdfDocument, withSlots } from '../../pdf/pdfium.ts';
import type { PageFrame } from '../../results.ts';
import { replacementCharacter } from '../measures.ts';
import { joiner, presentationForm, rightToLeftLetter, symbolOf } from './characters.ts';
import { type TextState, textStateReader } from './text-state.ts';
import { withCodesAsText } from './unmapped-codes.ts';
import type { AngledWord } from './word.ts';
import {
  type Letter,
  newWordDraft,
  type Position,
  setBlank,
  tryExtend,
  type WordDraft,
  wordOf,
} from './word-draft.ts';

/** Maximum number of letters of one glyph. Ligatures and letters with vowel marks have fewer. */
const maxLettersPerGlyph = 12;
/** Minimum size of visible text, in points. */
const minSize = 0.5;
/** Maximum width of a glyph that counts as zero, in font sizes. */
const maxZeroWidth = 0.05;
/**
 * Maximum distance of the shadow of a letter, and maximum overlap of adjacent letters, in font
 * sizes.
 */
const maxShadowDistance = 0.15;
const maxOverlap = 0.5;

type VisibleAndHiddenWords = {
  words: AngledWord[];
  /** Text that is not drawn, such as a recognised layer below a scan. */
  hidden: AngledWord[];
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
  recognised: readonly AngledWord[] = [],
  glyphs: readonly Glyph[] = readText(document, page, frame, { withInk: false }),
): VisibleAndHiddenWords {
  return toOwnText(document, withCodesAsText(document, glyphs, recognised));
}

/** Returns the words of glyphs that come from `readText`, while their page is loaded. */
export function toOwnText(document: PdfDocument, glyphs: readonly Glyph[]): VisibleAndHiddenWords {
  return withSlots(document.pdfium, 4, (at) => wordsOf(glyphs, textStateReader(document, at)));
}

/** Returns the text of a glyph, which is a symbol if the font is a symbol font. */
const textOf = ({ text, code }: Glyph, { symbols }: TextState): string =>
  symbols && code > 0x20 ? symbolOf(code) : text;

/**
 * Returns the advance of a glyph. Type 3 fonts may have one box for all letters. In that case, the
 * advance is measured to the next letter of the same text, unless that letter is the shadow of the
 * glyph.
 */
function measureAdvance(
  glyph: Glyph,
  next: Glyph | undefined,
  { cos, sin, size }: TextState,
): number {
  if (next?.object !== glyph.object) return glyph.advance;
  const distance = (next.x - glyph.x) * cos + (next.y - glyph.y) * sin;
  const isShort =
    distance > maxShadowDistance * size && glyph.advance - distance > maxOverlap * size;
  return isShort ? distance : glyph.advance;
}

/**
 * Whether a space ends an invisible text. Tesseract and others write each word with a space and
 * stretch both to the width of the word in the picture. The word therefore ends where its space
 * ends.
 */
function isEndOfLayerWord(
  glyphs: readonly Glyph[],
  index: number,
  { visible }: TextState,
): boolean {
  const [before, space, after] = [glyphs[index - 1], glyphs[index], glyphs[index + 1]];
  if (visible || !space || space.inserted || before?.object !== space.object) return false;
  return after?.object !== space.object;
}

/**
 * Returns the text of a right-to-left glyph, and the number of following glyphs at its position.
 */
function combineLetters(
  glyphs: readonly Glyph[],
  index: number,
  letter: Letter,
): { letter: Letter; followers: number } {
  const first = glyphs[index];
  let { reads } = letter;
  let cell = first?.cell;
  let followers = 0;
  // The letters of one glyph arrive separately at one position; PDFium may reverse them.
  for (; first && first.advance > 0 && followers < maxLettersPerGlyph - 1; followers += 1) {
    const next = glyphs[index + followers + 1];
    if (next?.object !== first.object || next.x !== first.x || next.y !== first.y) break;
    if (Math.abs(next.advance - first.advance) > 0.01 * first.size) break;
    reads = next.text + reads;
    cell = hull([cell ?? next.cell, next.cell]);
  }
  if (!first || !cell || followers === 0) return { letter, followers: 0 };
  const advance = advanceOf(cell, first.angle) ?? first.advance;
  return { letter: { ...letter, reads, advance, isCombined: true }, followers };
}

/** Returns the letter of a glyph; undefined for text that is not meant to be visible. */
function letterOf(
  { x, y }: Glyph,
  text: string,
  state: TextState,
  advance: number,
): Letter | undefined {
  if ((text === '' && !state.visible) || state.size < minSize) return undefined;
  const letterText = presentationForm.test(text)
    ? text.normalize('NFKC')
    : text || replacementCharacter;
  const rightToLeft = letterText > '\u0590' && rightToLeftLetter.test(letterText);
  return { reads: letterText, state, x, y, advance, turned: rightToLeft, isCombined: false };
}

/** Returns the words of glyphs in content order. */
function wordsOf(
  glyphs: readonly Glyph[],
  stateOf: (glyph: Glyph) => TextState,
): VisibleAndHiddenWords {
  const found: VisibleAndHiddenWords = { words: [], hidden: [] };
  let draft: WordDraft | undefined;
  /** The position of the last space, if no word has followed it. */
  let blankPosition: Position | undefined;
  let hasRightToLeft = false;
  const endWord = (): void => {
    const word = draft && wordOf(draft);
    if (word) (draft?.state.visible ? found.words : found.hidden).push(word);
    draft = undefined;
  };
  for (let index = 0; index < glyphs.length; index += 1) {
    const glyph = glyphs[index];
    if (!glyph || glyph.object === 0) continue;
    const state = stateOf(glyph);
    const text = textOf(glyph, state);
    const advance = measureAdvance(glyph, glyphs[index + 1], state);
    if (text === ' ') {
      // A joiner without width prevents letters from joining inside a word.
      if (draft?.rightToLeft && advance < maxZeroWidth * state.size) continue;
      // In text that runs from right to left, the previous text may be on either side.
      blankPosition = hasRightToLeft
        ? { x: glyph.x, y: glyph.y }
        : { x: Number.NaN, y: Number.NaN };
      if (draft) setBlank(draft, blankPosition, 'after');
      if (draft && !draft.rightToLeft && isEndOfLayerWord(glyphs, index, state))
        draft.to += advance;
      endWord();
      continue;
    }
    if (draft?.rightToLeft && joiner.test(text)) {
      // The letter is invisible, so its font does not matter.
      draft.units.push(text);
      continue;
    }
    let letter = letterOf(glyph, text, state, advance);
    if (!letter) continue;
    hasRightToLeft ||= letter.turned;
    if (letter.turned) {
      const combined = combineLetters(glyphs, index, letter);
      letter = combined.letter;
      index += combined.followers;
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
    if (draft && tryExtend(draft, letter)) continue;
    endWord();
    draft = newWordDraft(letter);
    if (blankPosition) setBlank(draft, blankPosition, 'before');
    blankPosition = undefined;
  }
  endWord();
  return found;
}
