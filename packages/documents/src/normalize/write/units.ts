/*
 * The building blocks of chunks, as Markdown: sentences, rows of tables and lines of code. Each can
 * be in any chunk.
 */
import type { Box } from '../../results.ts';
import type { Cell, DocBlock, Span } from '../document.ts';
import {
  createPrefixer,
  fenceOf,
  formulaText,
  isFurniture,
  isText,
  type LinePrefix,
  languageOf,
  pictureText,
  type TextBlock,
  textLines,
} from './blocks.ts';
import { createSlicer, escapeLine, toInlineMarkdown } from './inline.ts';
import { sentencesOf } from './sentences.ts';
import { delimiterLine, rowLine, type Table, textRows } from './table.ts';
import { countTextTokens } from './tokens.ts';

/**
 * The text that units need around them in each chunk: the header row of a table, or a code fence.
 */
type Frame = { open: string; close: string; tokens: number };

export type Unit = {
  text: string;
  /** The number of tokens of the text and its separator. */
  tokens: number;
  block: DocBlock;
  /** The index of the block in the list of blocks. */
  blockIndex: number;
  /** Whether it is the first unit of its block. */
  isFirst: boolean;
  /** The number of tokens of the whole block, or of its start if it is longer than a chunk. */
  blockTokens: number;
  /** Whether it is on the same line as the unit before it. */
  continues: boolean;
  box: Box | null;
  frame: Frame | null;
  /** Whether it is a sentence that may be repeated at the start of the next chunk. */
  isRepeatable: boolean;
};

/** Yields the units of a document's blocks, each of at most `maxTokens` tokens with its frame. */
export function* unitsOf(blocks: readonly DocBlock[], maxTokens: number): Generator<Unit> {
  const prefixOf = createPrefixer();
  for (const [at, block] of blocks.entries()) {
    if (isFurniture(block)) continue;
    const pending: Omit<Unit, 'blockTokens' | 'isFirst'>[] = [];
    let blockTokens = 0;
    let isFirst = true;
    const release = function* (): Generator<Unit> {
      for (const unit of pending.splice(0)) {
        yield { ...unit, blockTokens, isFirst };
        isFirst = false;
      }
    };
    for (const part of partsOf(block, prefixOf, maxTokens)) {
      if (part.text.trim() === '' && part.frame === null) continue;
      const tokens = countTextTokens(part.text) + 1;
      blockTokens += tokens + (pending.length === 0 && isFirst ? (part.frame?.tokens ?? 0) : 0);
      pending.push({ ...part, tokens, block, blockIndex: at });
      // Beyond the size of a chunk, the exact length is irrelevant. Long tables are not kept in
      // memory.
      if (blockTokens > maxTokens) yield* release();
    }
    yield* release();
  }
}

type Part = Pick<Unit, 'text' | 'continues' | 'box' | 'frame' | 'isRepeatable'>;

function* partsOf(
  block: DocBlock,
  prefixOf: (block: TextBlock) => LinePrefix,
  maxTokens: number,
): Generator<Part> {
  const plain = { continues: false, box: block.box, frame: null, isRepeatable: false };
  if (block.role === 'table') yield* rowParts(block, maxTokens);
  else if (block.role === 'picture') {
    // Pictures without a description are left out.
    if (block.alt?.trim()) {
      for (const text of splitText(pictureText(block.alt), maxTokens)) yield { ...plain, text };
    }
  } else if (isText(block)) {
    const prefix = prefixOf(block);
    if (block.role === 'code') yield* codeParts(block, maxTokens);
    else if (block.role === 'formula') {
      for (const text of splitText(formulaText(block.text), maxTokens)) yield { ...plain, text };
    } else yield* sentenceParts(block, prefix, maxTokens);
  }
}

function* sentenceParts(block: TextBlock, prefix: LinePrefix, maxTokens: number): Generator<Part> {
  const isRepeatable = block.role !== 'heading' && block.role !== 'footnote';
  const common = { box: block.box, frame: null, isRepeatable };
  const sentences =
    block.role === 'heading' ? [{ start: 0, end: block.text.length }] : sentencesOf(block.text);
  const slice = createSlicer(block.spans);
  for (const { start, end } of sentences) {
    const startsLine = /\n\s*$/.test(block.text.slice(Math.max(0, start - 8), start));
    const at: LinePrefix =
      start === 0
        ? prefix
        : { first: startsLine ? prefix.following : '', following: prefix.following };
    let continues = start > 0 && !startsLine;
    for (const text of splitSentence(block.role, slice(start, end), at, maxTokens)) {
      yield { ...common, text, continues };
      continues = true;
    }
  }
}

/**
 * Yields a sentence as Markdown. If it is too long, its links are removed, and then it is halved
 * until the pieces fit.
 */
function* splitSentence(
  role: DocBlock['role'],
  spans: readonly Span[],
  prefix: LinePrefix,
  maxTokens: number,
): Generator<string> {
  const markdown = textLines(role, spans, prefix);
  const isLong = countTextTokens(markdown) > maxTokens;
  if (isLong && spans.some(({ href }) => href !== null)) {
    const unlinked = spans.map((span) => ({ ...span, href: null }));
    yield* splitSentence(role, unlinked, prefix, maxTokens);
    return;
  }
  const text = isLong ? spans.map((span) => span.text).join('') : '';
  const middle = isLong ? middleOf(text, 0, text.length) : null;
  if (middle === null) {
    yield markdown;
    return;
  }
  const slice = createSlicer(spans);
  yield* splitSentence(role, slice(0, middle), prefix, maxTokens);
  const followingPrefix = { first: '', following: prefix.following };
  yield* splitSentence(role, slice(middle, text.length), followingPrefix, maxTokens);
}

/** Yields a text in pieces of at most `maxTokens` tokens, split at spaces if possible. */
function* splitText(text: string, maxTokens: number): Generator<string> {
  const middle = countTextTokens(text) <= maxTokens ? null : middleOf(text, 0, text.length);
  if (middle === null) {
    yield text;
    return;
  }
  yield* splitText(text.slice(0, middle), maxTokens);
  yield* splitText(text.slice(middle), maxTokens);
}

/**
 * Returns a position after a space near the middle, or else the middle, never inside a character;
 * null if the text is too short to split.
 */
function middleOf(text: string, start: number, end: number): number | null {
  if (end - start < 4) return null;
  const middle = (start + end) >>> 1;
  const maxOffset = (end - start) >>> 2;
  for (let away = 0; away < maxOffset; away += 1) {
    if (/\s/.test(text[middle + away]!)) return middle + away + 1;
    if (/\s/.test(text[middle - away]!)) return middle - away + 1;
  }
  return /[\udc00-\udfff]/.test(text[middle]!) ? middle + 1 : middle;
}

function* rowParts(table: Table, maxTokens: number): Generator<Part> {
  const rows = textRows(table);
  const columns = rows[0]?.length ?? 0;
  const common = { continues: false, isRepeatable: false };
  if (table.caption !== null) {
    const caption = escapeLine(toInlineMarkdown([{ text: table.caption, marks: [], href: null }]));
    for (const text of splitText(caption, maxTokens)) {
      yield { ...common, text, box: table.box, frame: null };
    }
  }
  if (columns === 0) return;
  const boxes = boxesOf(table);
  const header = `${rowLine(rows[0]!)}\n${delimiterLine(columns)}\n`;
  const headerFrame = { open: header, close: '', tokens: countTextTokens(header) };
  // A header that leaves too little space for rows is not repeated. It is written as a normal row.
  const isRepeated = headerFrame.tokens <= maxTokens / 2;
  const frame = isRepeated ? headerFrame : null;
  if (isRepeated && rows.length === 1) {
    yield { ...common, text: header.trimEnd(), box: table.box, frame: null };
    return;
  }
  const maxRowTokens = isRepeated ? maxTokens - headerFrame.tokens : maxTokens;
  for (const [index, row] of rows.entries()) {
    if (index === 0 && isRepeated) continue;
    const box = boxes[index] ?? table.box;
    const line = rowLine(row);
    if (countTextTokens(line) <= maxRowTokens) yield { ...common, text: line, box, frame };
    // A row that is longer than a chunk is split into pieces outside the table.
    else for (const text of splitText(line, maxTokens)) yield { ...common, text, box, frame: null };
  }
}

/** Returns the box around the cells of each row; null for rows without positions. */
function boxesOf(table: Table): (Box | null)[] {
  const boxes: (Box | null)[] = [];
  for (const { row, box } of table.cells as readonly Cell[]) {
    if (box !== null) boxes[row] = union(boxes[row] ?? null, box);
  }
  return boxes;
}

const union = (a: Box | null, b: Box): Box =>
  a === null
    ? b
    : [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];

function* codeParts(
  block: Extract<TextBlock, { role: 'code' }>,
  maxTokens: number,
): Generator<Part> {
  const fence = fenceOf(block.text);
  const openingFence = `${fence}${languageOf(block.language)}\n`;
  const frame = {
    open: openingFence,
    close: `\n${fence}`,
    tokens: countTextTokens(openingFence) + countTextTokens(fence) + 1,
  };
  const common = { continues: false, box: block.box, frame, isRepeatable: false };
  for (const line of block.text.trimEnd().split('\n')) {
    for (const text of splitText(line, maxTokens - frame.tokens)) yield { ...common, text };
  }
}
