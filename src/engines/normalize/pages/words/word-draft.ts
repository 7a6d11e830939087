import { letterOrDigit, marksBefore } from './characters.ts';
import { sameLook, type TextState } from './text-state.ts';
import { ascent, descent, type LeaningWord, unreadable, wordGap } from './word.ts';

/** What one glyph, or several in one place, add to a word. */
export type Letter = {
  reads: string;
  state: TextState;
  /** Where the pen stands, and how far it moves on. */
  x: number;
  y: number;
  advance: number;
  /** Runs from right to left. */
  turned: boolean;
  /** Whether it is several letters. */
  together: boolean;
};

/** Where a blank stands; not a number where that is not known. */
export type Place = { x: number; y: number };

/** A word whose letters are still coming in. */
export type Draft = {
  /** What each glyph reads as, in the order they come in. */
  units: string[];
  state: TextState;
  x: number;
  y: number;
  /** Along the baseline, from `x`, `y`: where it begins, ends, and where the last letter stands. */
  from: number;
  to: number;
  last: number;
  lastTo: number;
  rises: number;
  falls: number;
  turned: boolean;
  /** Whether the last unit is several letters. */
  together: boolean;
  /** Blanks beside it, on the left and on the right where the line runs level. */
  blankBefore: boolean;
  blankAfter: boolean;
};

/** A word that begins with a letter. */
export function draftOf({ reads, state, x, y, advance, turned, together }: Letter): Draft {
  return {
    units: [reads],
    state,
    x,
    y,
    from: 0,
    to: advance,
    last: 0,
    lastTo: advance,
    rises: 0,
    falls: 0,
    turned,
    blankBefore: false,
    blankAfter: false,
    together,
  };
}

/** Adds a letter to a word, and tells whether it is one of it: else the word is as it was. */
export function extend(draft: Draft, letter: Letter): boolean {
  const { reads, state, x, y, advance, turned, together } = letter;
  const { cos, sin, size } = state;
  const dx = (x - draft.x) * cos + (y - draft.y) * sin;
  const dy = (y - draft.y) * cos - (x - draft.x) * sin;
  // Of letters that stand for several glyphs there is the ink, and not how far the pen moves on.
  const room = together || draft.together ? 0.6 * size : wordGap * size;
  const onward = dx - draft.lastTo;
  const back = draft.last - (dx + advance);
  const joins =
    draft.state === state || (draft.state.size === size && sameLook(draft.state, state));
  // A number that touches letters running the other way is a word by itself.
  const mixed =
    turned !== draft.turned && letterOrDigit.test(turned ? draft.units.join('') : reads);
  // A letter that reaches over the one before, as alef does over lam; no shadow of it.
  const over =
    onward < room && back < room && reads !== draft.units.at(-1) && advance > 0.05 * size;
  const isNext =
    joins &&
    !mixed &&
    Math.abs(dy) < 0.1 * size &&
    ((onward < room && onward > -0.5 * size) ||
      (turned && draft.turned && (over || (back < room && back > -0.5 * size))) ||
      // Marks over letters have their place within the letter.
      (advance < 0.05 * size && dx > draft.from - 0.3 * size && dx < draft.to + 0.3 * size));
  if (!isNext) return false;
  if (dx > draft.last) draft.rises += 1;
  else if (dx < draft.last) draft.falls += 1;
  draft.units.push(reads);
  draft.turned ||= turned;
  draft.from = Math.min(draft.from, dx);
  draft.to = Math.max(draft.to, dx + advance);
  draft.last = dx;
  draft.lastTo = dx + advance;
  draft.together = together;
  return true;
}

/**
 * Notes a blank that comes before or after a word in the order of the content, on the side where it
 * stands; where text runs from the right, one that stands elsewhere is none of this word's.
 */
export function setBlank(draft: Draft, blank: Place, comes: 'before' | 'after'): void {
  const { cos, sin, size } = draft.state;
  const dx = (blank.x - draft.x) * cos + (blank.y - draft.y) * sin;
  const dy = (blank.y - draft.y) * cos - (blank.x - draft.x) * sin;
  const near = Math.abs(dy) < 0.5 * size && dx > draft.from - 2 * size && dx < draft.to + size;
  if (near && dx > (draft.from + draft.to) / 2) draft.blankAfter = true;
  else if (near) draft.blankBefore = true;
  else if (!draft.turned && comes === 'before') draft.blankBefore = true;
  else if (!draft.turned) draft.blankAfter = true;
}

/** The word that the letters make; none where nothing of it can be read or has a size. */
export function wordOf(draft: Draft): LeaningWord | undefined {
  const { state, turned, rises, falls, units } = draft;
  const { size, cos, sin, angle, bold, italic, mono, math, mark } = state;
  // Letters of Arabic or Hebrew that come from left to right come in the wrong order.
  if (turned && rises > falls) units.reverse();
  let text = units.join('');
  if (turned && /^\p{M}.*\P{M}$/u.test(text)) text = text.replace(marksBefore, '$2$1');
  // Programs set a bullet again for a shadow, or once in each of two fonts.
  if (/^•+$/.test(text)) text = '•';
  else if (text.length > 1 && text.includes(unreadable)) {
    text = text.replaceAll(unreadable, '');
    if (text === '') return undefined;
  }
  const [fx, fy] = [draft.x + draft.from * cos, draft.y + draft.from * sin];
  const length = draft.to - draft.from;
  if (length <= 0 && size <= 0) return undefined;
  // As if its line ran level: `turnLevel` puts it where it is on the turned page.
  return {
    text,
    box: [fx, fy - ascent * size, fx + length, fy + descent * size],
    base: fy,
    size,
    blankBefore: draft.blankBefore,
    blankAfter: draft.blankAfter,
    confidence: 1,
    source: 'pdf',
    mark,
    href: null,
    bold,
    italic,
    mono,
    math,
    angle,
  };
}
