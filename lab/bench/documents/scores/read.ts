import { visibleText } from './inline.ts';
import { cellsOf, type Grid, readHtmlTable, splitRow } from './table.ts';
import { keyOf, wordsOf } from './words.ts';

/** The parts of a Markdown document that are compared. */
export type Reading = {
  /** In document order. */
  words: string[];
  headings: { level: number; text: string; key: string }[];
  tables: Grid[];
};

const delimiter = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const fence = /^\s*(`{3,}|~{3,})/;

/**
 * Reads Markdown as written by converters: ATX and setext headings, pipe and HTML tables, fenced code,
 * lists, quotes. Comments, rules and markup are not words, and neither are list numbers, checkboxes and
 * image descriptions.
 */
export function readMarkdown(markdown: string): Reading {
  const reading: Reading = { words: [], headings: [], tables: [] };
  const lines = markdown
    .replace(/\r\n?/g, '\n')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .split('\n');
  const add = (text: string) => {
    for (const found of wordsOf(text)) reading.words.push(found);
  };
  const heading = (level: number, text: string) => {
    const key = keyOf(text);
    if (key !== '') reading.headings.push({ level, text: text.trim(), key });
    add(text);
  };
  const table = (grid: Grid) => {
    const { cells } = cellsOf(grid);
    if (cells.length > 0) reading.tables.push(grid);
    for (const { text } of cells) add(text);
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').replace(/^\s*(?:>\s?)+/, '');
    const next = lines[at + 1] ?? '';
    const opening = fence.exec(line)?.[1];
    const atx = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line);
    if (opening) {
      for (at += 1; at < lines.length && !(lines[at] ?? '').trim().startsWith(opening); at += 1) {
        add(lines[at] ?? '');
      }
    } else if (/^\s*<table[\s>]/i.test(line)) {
      let html = line;
      while (!areTablesClosed(html) && at + 1 < lines.length) html += `\n${lines[++at] ?? ''}`;
      const end = html.toLowerCase().lastIndexOf('</table>');
      table(readHtmlTable(html));
      if (end >= 0) add(visibleText(html.slice(end + 8)));
    } else if (line.includes('|') && next.includes('-') && delimiter.test(next)) {
      const grid = [splitRow(line)];
      for (at += 2; (lines[at] ?? '').includes('|'); at += 1) grid.push(splitRow(lines[at] ?? ''));
      at -= 1;
      table(grid);
    } else if (atx) heading(atx[1]?.length ?? 1, visibleText(atx[2] ?? ''));
    else if (/^ {0,3}(=+|-{2,})\s*$/.test(next) && /^ {0,3}[\p{L}\p{N}*_[]/u.test(line)) {
      heading(next.includes('=') ? 1 : 2, visibleText(line));
      at += 1;
    } else if (!/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      add(visibleText(line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/, '')));
    }
  }
  return reading;
}

/** Whether all tables opened in a section of HTML are closed in it. */
function areTablesClosed(html: string): boolean {
  const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
  return count(/<table[\s>]/gi) <= count(/<\/table>/gi);
}
