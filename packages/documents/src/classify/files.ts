import { readFile, stat } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { decode } from '../files/encoding/index.ts';
import type { DocBlock } from '../normalize/document.ts';
import { readFileAsDocument } from '../normalize/kinds/index.ts';
import { type PageView, type ViewLine, viewText } from './view.ts';

/**
 * Maximum number of characters per page, and of pages, that are read. The beginning of a file is
 * enough to classify it.
 */
const maxPageCharacters = 3_500;
const maxPages = 12;
const maxTextBytes = 32 * 2 ** 20;
/** Sizes of headings by level, in points, for text of 10 points. */
const headingSizes = [20, 16, 14, 12, 11, 11];
const textSize = 10;

/**
 * Returns a file without pages, divided into parts that are as long as pages.
 * @throws EngineError if the file cannot be read.
 */
export async function viewFile(path: string, mime: string): Promise<PageView[]> {
  const lines = mime === 'text/plain' ? await linesOfText(path) : await linesOfBlocks(path, mime);
  const pages: ViewLine[][] = [[]];
  let characters = 0;
  for (const line of lines) {
    if (characters > 0 && characters + line.text.length > maxPageCharacters) {
      if (pages.length === maxPages) break;
      pages.push([]);
      characters = 0;
    }
    pages.at(-1)!.push(line);
    characters += line.text.length + 1;
  }
  return pages.map((page) => ({ lines: page, widthPt: 0, heightPt: 0 }));
}

/** Reads plain text with its lines, which are informative for the classifier. */
async function linesOfText(path: string): Promise<readonly ViewLine[]> {
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (size > maxTextBytes)
    throw new EngineError('too_large', 'The text file is larger than 32 MiB.');
  return viewText(decode(await readFile(path)).text, maxPageCharacters * maxPages).lines;
}

async function linesOfBlocks(path: string, mime: string): Promise<ViewLine[]> {
  const { blocks } = await readFileAsDocument(path, mime);
  const lines: ViewLine[] = [];
  let characters = 0;
  for (const block of blocks) {
    for (const line of linesOf(block)) {
      characters += line.text.length;
      if (line.text !== '') lines.push(line);
    }
    if (characters > maxPageCharacters * maxPages) break;
  }
  return lines;
}

function linesOf(block: DocBlock): ViewLine[] {
  if (block.role === 'picture') return [];
  if (block.role === 'table') {
    const rows: string[][] = Array.from({ length: Math.min(block.rows, 400) }, () => []);
    for (const { row, text } of block.cells) rows[row]?.push(text.replace(/\s+/g, ' '));
    return rows.map((cells) => ({
      text: cells.join('\t').slice(0, maxPageCharacters),
      size: textSize,
    }));
  }
  const marker = block.role === 'list_item' ? `${block.marker} ` : '';
  const size = block.role === 'heading' ? headingSizes[block.level - 1]! : textSize;
  const [first = '', ...rest] = block.text.slice(0, maxPageCharacters * 2).split('\n');
  return [`${marker}${first}`, ...rest].map((text) => ({ text: text.trim(), size }));
}
