import { ascent, descent, replacementCharacter, wordGap } from '../measures.ts';
import { letterOrDigit, marksBefore } from './characters.ts';
import { haveSameStyle, type TextState } from './text-state.ts';
import type { AngledWord } from './word.ts';

/** The contribution to a word of one glyph, or of several glyphs at one position. */
export type Letter = {
  reads: string;
  state: TextState;
  /** The position of the pen, and the advance. */
  x: number;
  y: number;
  advance: number;
  /** Whether the letter runs from right to left. */
  turned: boolean;
  /** Whether the unit consists of several letters. */
  isCombined: boolean;
};

/** The position of a space; NaN if unknown. */
export type Position = { x: number; y: number };

/** A word under construction. */
export type WordDraft = {
  /** The text of each glyph, in content order. */
  units: string[];
  state: TextState;
  x: number;
  y: number;
  /**
   * Positions along the baseline from `x`, `y`: the start, the end, and the position of the last
   * letter.
   */
  from: number;
  to: number;
  last: number;
  lastEnd: number;
  stepsForward: number;
  stepsBack: number;
  rightToLeft: boolean;
  /** Whether the last unit consists of several letters. */
  isCombined: boolean;
  /** Whether a space is on the left and on the right of the word, if the line is level. */
  blankBefore: boolean;
  blankAfter: boolean;
};

/** Returns a new word that starts with a letter. */
export function newWordDraft({
  reads,
  state,
  x,
  y,
  advance,
  turned,
  isCombined,
}: Letter): WordDraft {
  return {
    units: [reads],
    state,
    x,
    y,
    from: 0,
    to: advance,
    last: 0,
    lastEnd: advance,
    stepsForward: 0,
    stepsBack: 0,
    rightToLeft: turned,
    blankBefore: false,
    blankAfter: false,
    isCombined,
  };
}

/**
 * Adds a letter to a word if it belongs to the word. Otherwise returns false and leaves the word
 * unchanged.
 */
export function tryExtend(draft: WordDraft, letter: Letter): boolean {
  const { reads, state, x, y, advance, turned, isCombined } = letter;
  const { cos, sin, size } = state;
  const dx = (x - draft.x) * cos + (y - draft.y) * sin;
  const dy = (y - draft.y) * cos - (x - draft.x) * sin;
  // For letters of several glyphs, only the ink is known, not the advance of the pen.
  const maxGap = isCombined || draft.isCombined ? 0.6 * size : wordGap * size;
  const gapAfter = dx - draft.lastEnd;
  const gapBefore = draft.last - (dx + advance);
  const hasSameStyle =
    draft.state === state || (draft.state.size === size && haveSameStyle(draft.state, state));
  // A number that touches letters of the opposite direction is a separate word.
  const mixesDirections =
    turned !== draft.rightToLeft && letterOrDigit.test(turned ? draft.units.join('') : reads);
  // A letter may extend over the previous letter, as alef over lam, but is not its shadow.
  const overlaps =
    gapAfter < maxGap &&
    gapBefore < maxGap &&
    reads !== draft.units.at(-1) &&
    advance > 0.05 * size;
  const isNext =
    hasSameStyle &&
    !mixesDirections &&
    Math.abs(dy) < 0.1 * size &&
    ((gapAfter < maxGap && gapAfter > -0.5 * size) ||
      (turned &&
        draft.rightToLeft &&
        (overlaps || (gapBefore < maxGap && gapBefore > -0.5 * size))) ||
      // Marks above or below a letter are positioned within the letter.
      (advance < 0.05 * size && dx > draft.from - 0.3 * size && dx < draft.to + 0.3 * size));
  if (!isNext) return false;
  if (dx > draft.last) draft.stepsForward += 1;
  else if (dx < draft.last) draft.stepsBack += 1;
  draft.units.push(reads);
  draft.rightToLeft ||= turned;
  draft.from = Math.min(draft.from, dx);
  draft.to = Math.max(draft.to, dx + advance);
  draft.last = dx;
  draft.lastEnd = dx + advance;
  draft.isCombined = isCombined;
  return true;
}

/**
 * Records that a space precedes or follows a word in content order, and on which side it is. In
 * text that runs from right to left, a space in any other place does not belong to the word.
 */
export function setBlank(draft: WordDraft, blank: Position, side: 'before' | 'after'): void {
  const { cos, sin, size } = draft.state;
  const dx = (blank.x - draft.x) * cos + (blank.y - draft.y) * sin;
  const dy = (blank.y - draft.y) * cos - (blank.x - draft.x) * sin;
  const isNear = Math.abs(dy) < 0.5 * size && dx > draft.from - 2 * size && dx < draft.to + size;
  if (isNear && dx > (draft.from + draft.to) / 2) draft.blankAfter = true;
  else if (isNear) draft.blankBefore = true;
  else if (!draft.rightToLeft && side === 'before') draft.blankBefore = true;
  else if (!draft.rightToLeft) draft.blankAfter = true;
}

/** Returns the word that the letters form; undefined if no letter is readable or has a size. */
export function wordOf(draft: WordDraft): AngledWord | undefined {
  const { state, rightToLeft, stepsForward, stepsBack, units } = draft;
  const { size, cos, sin, angle, bold, italic, mono, math, mark } = state;
  // Arabic or Hebrew letters that arrive from left to right are in reverse order.
  if (rightToLeft && stepsForward > stepsBack) units.reverse();
  let text = units.join('');
  if (rightToLeft && /^\p{M}.*\P{M}$/u.test(text)) text = text.replace(marksBefore, '$2$1');
  // Programs draw a bullet twice for a shadow, or again in a second font.
  if (/^•+$/.test(text)) text = '•';
  else if (text.length > 1 && text.includes(replacementCharacter)) {
    text = text.replaceAll(replacementCharacter, '');
    if (text === '') return undefined;
  }
  const [fx, fy] = [draft.x + draft.from * cos, draft.y + draft.from * sin];
  const length = draft.to - draft.from;
  if (length <= 0 && size <= 0) return undefined;
  // The word is returned as if its line were level. `toLevelPage` moves it to its position on the
  // page.
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
