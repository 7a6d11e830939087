import type { Box } from '../results.ts';
import { boxesOf, type Piece } from './boxes.ts';
import type { PageModel } from './page.ts';

/** The text of a page and its mapping to words. Offsets are in UTF-16 units; ends are exclusive. */
export type MappedText = {
  text: string;
  /** The parts of words in a span. Spaces and text inserted between words belong to no part. */
  pieces(start: number, end: number): Piece[];
  /** The position of a span: one box per line, and the words that it touches. */
  locateSpan(start: number, end: number): { boxes: Box[]; words: number[] };
};

/**
 * A text under construction. For each of its units, `words` and `units` contain the word and the
 * unit of the word that it represents, or -1.
 */
export type TextDraft = { text: string; words: number[]; units: number[] };

export const newTextDraft = (): TextDraft => ({ text: '', words: [], units: [] });

/** Adds text that belongs to no word, such as a gap between words. */
export function addLiteral(draft: TextDraft, text: string): void {
  draft.text += text;
  for (let at = 0; at < text.length; at += 1) {
    draft.words.push(-1);
    draft.units.push(-1);
  }
}

export function addWord(draft: TextDraft, model: PageModel, word: number): void {
  const text = model.words[word]?.text ?? '';
  draft.text += text;
  for (let at = 0; at < text.length; at += 1) {
    draft.words.push(word);
    draft.units.push(at);
  }
}

/** Removes the last unit: a hyphen at the end of a line that is not part of the word. */
export function removeLastUnit(draft: TextDraft): void {
  draft.text = draft.text.slice(0, -1);
  draft.words.pop();
  draft.units.pop();
}

/** Returns the text with its mapping to words. */
export function toMappedText(
  draft: TextDraft,
  model: PageModel,
  lines: ReadonlyMap<number, number>,
): MappedText {
  const pieces = (start: number, end: number): Piece[] => {
    const found: Piece[] = [];
    for (let at = Math.max(0, start); at < Math.min(end, draft.text.length); at += 1) {
      const [word = -1, unit = -1] = [draft.words[at], draft.units[at]];
      if (word < 0) continue;
      const last = found.at(-1);
      if (last?.word === word && last.to === unit) last.to = unit + 1;
      else found.push({ word, from: unit, to: unit + 1 });
    }
    for (const piece of found.slice(0, -1)) {
      // If a word continues on the next line, its hyphen is part of the word.
      const { length } = model.words[piece.word]?.text ?? '';
      if (piece.to === length - 1) piece.to = length;
    }
    return found;
  };
  return {
    text: draft.text,
    pieces,
    locateSpan: (start, end) => {
      const found = pieces(start, end);
      return {
        boxes: boxesOf(model, found, lines),
        words: [...new Set(found.map(({ word }) => word))],
      };
    },
  };
}
