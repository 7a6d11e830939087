import { decode } from '../../files/encoding/index.ts';
import type { DocBlock, NormalDocument } from '../document.ts';
import {
  createBudget,
  firstHeading,
  onePage,
  origin,
  plainSpan,
  toTextFields,
} from './build-blocks.ts';

const bullet = /^(\s*)([-*•‣◦–·]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s+(?=\S)/;
const tabWidth = 8;

const indentOf = (line: string): number => {
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? '';
  return blanks.replaceAll('\t', ' '.repeat(tabWidth)).length;
};

/**
 * Whether lines are wrapped text of a paragraph, because they fill the width. Short lines, such as
 * those of an address, remain separate.
 */
function isWrapped(lines: readonly string[]): boolean {
  const lengths = lines.slice(0, -1).map((line) => line.trimEnd().length);
  const longest = lengths.reduce((max, length) => Math.max(max, length), 0);
  return longest >= 50 && lengths.every((length) => length >= longest * 0.65);
}

const joinLines = (lines: readonly string[]): string =>
  lines.map((line) => line.trim()).join(isWrapped(lines) ? ' ' : '\n');

/** Whether lines are laid out in columns with spaces, which must be kept. */
const isLaidOut = (lines: readonly string[]): boolean =>
  lines.length > 1 &&
  lines.filter((line) => /\S(?: {3,}|\t+)\S/.test(line)).length > lines.length / 2;

const isCapitals = (line: string): boolean =>
  line.length <= 60 &&
  /\p{Lu}{3}/u.test(line) &&
  !/\p{Ll}/u.test(line) &&
  !/[.,;:!?]$|\d{3}/.test(line);

const isUnderline = (line: string): boolean => /^\s*(?:={3,}|-{3,}|~{3,})\s*$/.test(line);

/** Returns the blocks of consecutive lines without empty lines between them. */
function blocksOf(lines: readonly string[]): DocBlock[] {
  const [first = '', second = ''] = lines;
  if (lines.length > 1 && isUnderline(second) && second.trim().length >= first.trim().length / 2) {
    const level = second.includes('=') ? 1 : 2;
    const heading: DocBlock = { role: 'heading', level, ...toTextFields([plainSpan(first)]) };
    return [heading, ...(lines.length > 2 ? blocksOf(lines.slice(2)) : [])];
  }
  if (lines.length === 1 && isUnderline(first)) return [];
  if (lines.length === 1 && isCapitals(first.trim())) {
    return [{ role: 'heading', level: 2, ...toTextFields([plainSpan(first)]) }];
  }
  if (lines.every((line) => /^\s*>/.test(line))) {
    const quoted = lines.map((line) => line.replace(/^\s*(?:>\s?)+/, ''));
    return [{ role: 'quote', ...toTextFields([plainSpan(joinLines(quoted))]) }];
  }
  if (bullet.test(first) && (lines.length > 1 || /^\s*[-*•‣◦·\d(]/.test(first)))
    return listItems(lines);
  if (isLaidOut(lines)) {
    const text = lines.map((line) => line.trimEnd()).join('\n');
    return [{ role: 'code', language: null, ...origin(), text, spans: [plainSpan(text)] }];
  }
  // A list may follow directly after its introduction, which ends in a colon.
  const at = lines.findIndex((line, index) => index > 0 && bullet.test(line));
  if (at > 0 && lines[at - 1]!.trimEnd().endsWith(':')) {
    return [...blocksOf(lines.slice(0, at)), ...listItems(lines.slice(at))];
  }
  return [{ role: 'paragraph', ...toTextFields([plainSpan(joinLines(lines))]) }];
}

/**
 * Returns list items. Deeper items are indented further, and other lines continue the previous
 * item.
 */
function listItems(lines: readonly string[]): DocBlock[] {
  const found: { indent: number; marker: string; lines: string[] }[] = [];
  for (const line of lines) {
    const match = bullet.exec(line);
    if (match) {
      const [indentation, , marker = '-'] = match;
      found.push({ indent: indentOf(line), marker, lines: [line.slice(indentation.length)] });
    } else found.at(-1)?.lines.push(line);
  }
  const openIndents: number[] = [];
  return found.map(({ indent, marker, lines: itemLines }): DocBlock => {
    while (openIndents.length > 0 && openIndents.at(-1)! > indent) openIndents.pop();
    if (openIndents.at(-1) !== indent) openIndents.push(indent);
    const ordered = /[\p{L}\d]/u.test(marker);
    const box = /^\[([ xX])\]\s+/.exec(itemLines[0] ?? '');
    const text = itemLines
      .map((line) => line.trim())
      .join(' ')
      .slice(box?.[0].length ?? 0);
    return {
      role: 'list_item',
      level: openIndents.length - 1,
      marker,
      ordered,
      checked: box ? box[1] !== ' ' : null,
      ...toTextFields([plainSpan(text)]),
    };
  });
}

/** The header fields of an e-mail. */
const mailField =
  /^(from|to|cc|bcc|date|sent|subject|reply-to|message-id|von|an|betreff|datum):\s/i;

/**
 * Reads plain text. Empty lines separate paragraphs, whose lines are joined if they fill the width.
 * Also recognises headings that are underlined or in capitals, lists, and quoted lines. The subject
 * of an e-mail is the title. Layouts made of spaces are unchanged. Throws EngineError.
 */
export function readText(bytes: Uint8Array): NormalDocument {
  const { title, blocks } = readLines(decode(bytes).text);
  return {
    title: title ?? firstHeading(blocks, 1),
    language: null,
    pages: onePage,
    blocks,
  };
}

/** Returns the blocks of plain text. */
export const blocksOfText = (text: string): DocBlock[] => readLines(text).blocks;

function readLines(text: string): { title: string | null; blocks: DocBlock[] } {
  const lines = text.split(/\r\n|[\r\n\f\u2028\u2029]/);
  const budget = createBudget();
  const blocks: DocBlock[] = [];
  let title: string | null = null;
  let openLines: string[] = [];
  const closeBlock = (): void => {
    if (openLines.length === 0) return;
    const isMailHeader =
      blocks.length === 0 && openLines.filter((line) => mailField.test(line)).length >= 2;
    if (isMailHeader) {
      title =
        openLines.find((line) => /^(subject|betreff):/i.test(line))?.replace(/^\w+:\s*/, '') ??
        null;
      const header = openLines.map((line) => line.trim()).join('\n');
      blocks.push({ role: 'paragraph', ...toTextFields([plainSpan(header)]) });
    } else {
      for (const block of blocksOf(openLines)) {
        budget.countBlock();
        blocks.push(block);
      }
    }
    openLines = [];
  };
  for (const line of lines) {
    if (line.trim() === '') closeBlock();
    else openLines.push(line);
  }
  closeBlock();
  return { title, blocks: blocks.filter((block) => !('text' in block) || block.text !== '') };
}
