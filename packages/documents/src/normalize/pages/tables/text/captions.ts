import type { Box } from '../../../../results.ts';
import type { TableWord } from '../types.ts';
import { type Line, phrasesOf } from './lines.ts';

const number = String.raw`\s*(\p{N}|[IVXL]+(?!\p{L}))`;
const table = 'table|tab\\.|tabelle|tableau|tabla|tabella|tabela|tabel|الجدول|جدول|表格?';

/** The start of a caption, which separates two tables. */
export const captionStart = new RegExp(
  `^(${table}|figure|fig\\.|abbildung|abb\\.|图)${number}`,
  'iu',
);
const tableCaption = new RegExp(`^(${table})${number}`, 'iu');

/** Returns the positions on a page where captions of tables begin. */
export function tableCaptions(words: readonly TableWord[], lines: readonly Line[]): Box[] {
  const found: Box[] = [];
  for (const line of lines) {
    if (!line.words.some((index) => /^(tab|الج|جد|表)/iu.test(words[index]?.text ?? ''))) continue;
    for (const { words: own, from, to } of phrasesOf(words, line, 0.8 * line.size)) {
      const text = own.map((index) => words[index]?.text ?? '').join(' ');
      if (tableCaption.test(text)) found.push([from, line.top, to, line.bottom]);
    }
  }
  return found;
}

/** Whether a caption is directly above or below a region. Captions may be long. */
export function isCaptioned(captions: readonly Box[], region: Box, size: number): boolean {
  const [left, top, right, bottom] = region;
  return captions.some(([x0, y0, x1, y1]) => {
    if (Math.min(x1, right) < Math.max(x0, left)) return false;
    return (y0 < top && top - y1 < 3.5 * size) || (y1 > bottom && y0 - bottom < 2.5 * size);
  });
}
