/*
 * The building blocks of chunks, as Markdown: sentences, rows of tables and lines of code. Each can
 * be in any chunk.
 */
import type { Box } from '../../results.ts';
import type { Cell, DocBlock, Span } from '../document.ts';
import {
  createLeads,
  fenceOf,
  formulaText,
  isFurniture,
  isText,
  type Lead,
  languageOf,
  pictureText,
  type TextBlock,
  textLines,
} from './blocks.ts';
import { escapedLine, inline, slicer } from './inline.ts';
import { sentencesOf } from './sentences.ts';
import { delimiterLine, rowLine, type Table, textRows } from './table.ts';
import { count } from './tokens.ts';

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
  at: number;
  /** Whether it is the first unit of its block. */
  first: boolean;
  /** The number of tokens of the whole block, or of its start if it is longer than a chunk. */
  whole: number;
  /** Whether it is on the same line as the unit before it. */
  continues: boolean;
  box: Box | null;
  frame: Frame | null;
  /** Whether it is a sentence that may be repeated at the start of the next chunk. */
  prose: boolean;
};

/** Yields the units of a document's blocks, each of at most `most` tokens including its frame. */
export function* unitsOf(blocks: readonly DocBlock[], most: number): Generator<Unit> {
  const lead = createLeads();
  for (const [at, block] of blocks.entries()) {
    if (isFurniture(block)) continue;
    const held: Omit<Unit, 'whole' | 'first'>[] = [];
    let whole = 0;
    let first = true;
    const release = function* (): Generator<Unit> {
      for (const unit of held.splice(0)) {
        yield { ...unit, whole, first };
        first = false;
      }
    };
    for (const part of partsOf(block, lead, most)) {
      if (part.text.trim() === '' && part.frame === null) continue;
      const tokens = count(part.text) + 1;
      whole += tokens + (held.length === 0 && first ? (part.frame?.tokens ?? 0) : 0);
      held.push({ ...part, tokens, block, at });
      // Beyond the size of a chunk, the exact length is irrelevant, so long tables are not held in
      // memory.
      if (whole > most) yield* release();
    }
    yield* release();
  }
}

type Part = Pick<Unit, 'text' | 'continues' | 'box' | 'frame' | 'prose'>;

function* partsOf(
  block: DocBlock,
  lead: (block: TextBlock) => Lead,
  most: number,
): Generator<Part> {
  const plain = { continues: false, box: block.box, frame: null, prose: false };
  if (block.role === 'table') yield* rowParts(block, most);
  else if (block.role === 'picture') {
    // Pictures without a description are left out.
    if (block.alt?.trim()) {
      for (const text of cut(pictureText(block.alt), most)) yield { ...plain, text };
    }
  } else if (isText(block)) {
    const own = lead(block);
    if (block.role === 'code') yield* codeParts(block, most);
    else if (block.role === 'formula') {
      for (const text of cut(formulaText(block.text), most)) yield { ...plain, text };
    } else yield* sentenceParts(block, own, most);
  }
}

function* sentenceParts(block: TextBlock, lead: Lead, most: number): Generator<Part> {
  const prose = block.role !== 'heading' && block.role !== 'footnote';
  const common = { box: block.box, frame: null, prose };
  const sentences =
    block.role === 'heading' ? [{ start: 0, end: block.text.length }] : sentencesOf(block.text);
  const cutOut = slicer(block.spans);
  for (const { start, end } of sentences) {
    const onOwnLine = /\n\s*$/.test(block.text.slice(Math.max(0, start - 8), start));
    const at: Lead = start === 0 ? lead : { first: onOwnLine ? lead.rest : '', rest: lead.rest };
    let continues = start > 0 && !onOwnLine;
    for (const text of shortened(block.role, cutOut(start, end), at, most)) {
      yield { ...common, text, continues };
      continues = true;
    }
  }
}

/**
 * Yields a sentence as Markdown. If it is too long, its links are removed, and then it is halved
 * until the pieces fit.
 */
function* shortened(
  role: DocBlock['role'],
  spans: readonly Span[],
  lead: Lead,
  most: number,
): Generator<string> {
  const markdown = textLines(role, spans, lead);
  const isLong = count(markdown) > most;
  if (isLong && spans.some(({ href }) => href !== null)) {
    const unlinked = spans.map((span) => ({ ...span, href: null }));
    yield* shortened(role, unlinked, lead, most);
    return;
  }
  const text = isLong ? spans.map((span) => span.text).join('') : '';
  const middle = isLong ? middleOf(text, 0, text.length) : null;
  if (middle === null) {
    yield markdown;
    return;
  }
  const cutOut = slicer(spans);
  yield* shortened(role, cutOut(0, middle), lead, most);
  const rest = { first: '', rest: lead.rest };
  yield* shortened(role, cutOut(middle, text.length), rest, most);
}

/** Yields a text in pieces of at most `most` tokens, split at spaces if possible. */
function* cut(text: string, most: number): Generator<string> {
  const middle = count(text) <= most ? null : middleOf(text, 0, text.length);
  if (middle === null) {
    yield text;
    return;
  }
  yield* cut(text.slice(0, middle), most);
  yield* cut(text.slice(middle), most);
}

/**
 * Returns a position after a space near the middle, or else the middle, never inside a character;
 * null if the text is too short to split.
 */
function middleOf(text: string, start: number, end: number): number | null {
  if (end - start < 4) return null;
  const middle = (start + end) >>> 1;
  const reach = (end - start) >>> 2;
  for (let away = 0; away < reach; away += 1) {
    if (/\s/.test(text[middle + away]!)) return middle + away + 1;
    if (/\s/.test(text[middle - away]!)) return middle - away + 1;
  }
  return /[\udc00-\udfff]/.test(text[middle]!) ? middle + 1 : middle;
}

function* rowParts(table: Table, most: number): Generator<Part> {
  const rows = textRows(table);
  const columns = rows[0]?.length ?? 0;
  const common = { continues: false, prose: false };
  if (table.caption !== null) {
    const caption = escapedLine(inline([{ text: table.caption, marks: [], href: null }]));
    for (const text of cut(caption, most)) {
      yield { ...common, text, box: table.box, frame: null };
    }
  }
  if (columns === 0) return;
  const boxes = boxesOf(table);
  const header = `${rowLine(rows[0]!)}\n${delimiterLine(columns)}\n`;
  const open = { open: header, close: '', tokens: count(header) };
  // A header that leaves too little space for rows is not repeated. It is written as a normal row.
  const isRepeated = open.tokens <= most / 2;
  const frame = isRepeated ? open : null;
  if (isRepeated && rows.length === 1) {
    yield { ...common, text: header.trimEnd(), box: table.box, frame: null };
    return;
  }
  const room = isRepeated ? most - open.tokens : most;
  for (const [index, row] of rows.entries()) {
    if (index === 0 && isRepeated) continue;
    const box = boxes[index] ?? table.box;
    const line = rowLine(row);
    if (count(line) <= room) yield { ...common, text: line, box, frame };
    // A row that is longer than a chunk is split into pieces outside the table.
    else for (const text of cut(line, most)) yield { ...common, text, box, frame: null };
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

function* codeParts(block: Extract<TextBlock, { role: 'code' }>, most: number): Generator<Part> {
  const fence = fenceOf(block.text);
  const open = `${fence}${languageOf(block.language)}\n`;
  const frame = { open, close: `\n${fence}`, tokens: count(open) + count(fence) + 1 };
  const common = { continues: false, box: block.box, frame, prose: false };
  for (const line of block.text.trimEnd().split('\n')) {
    for (const text of cut(line, most - frame.tokens)) yield { ...common, text };
  }
}
