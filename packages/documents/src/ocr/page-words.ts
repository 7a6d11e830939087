import type { Line, Word } from '../results.ts';

/** The words and lines of a page, in reading order. */
export type PageWords = { words: Word[]; lines: Line[] };

/**
 * Returns words as plain text, with spaces between words, the line breaks of the page, and empty
 * lines between paragraphs.
 */
export function joinWords(words: readonly Word[], lines: readonly Line[]): string {
  let text = '';
  let lineIndex = -1;
  let previous = '';
  for (const word of words) {
    if (word.line !== lineIndex) {
      if (lineIndex >= 0) text += lines[word.line]?.paragraph ? '\n\n' : '\n';
      lineIndex = word.line;
    } else if (!(isIdeographic(previous.slice(-1)) && isIdeographic(word.text))) {
      text += ' ';
    }
    text += word.text;
    previous = word.text;
  }
  return text === '' ? '' : `${text}\n`;
}

/** Whether a text starts with a script that is written without spaces between words. */
function isIdeographic(text: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

/** Counts the characters of words as code points, without white space. */
export function countCharacters(words: readonly Word[]): number {
  let count = 0;
  for (const word of words) for (const letter of word.text) if (letter.trim() !== '') count += 1;
  return count;
}
