import type { Box } from '../results.ts';
import { tableRows } from './blocks.ts';
import { boxesOf, lineOfWords, type Piece } from './boxes.ts';
import type { Block, ModelLine, PageModel } from './page.ts';

/** The text of a page, mapped to its words. Offsets are UTF-16 units; ends are exclusive. */
export type PageText = {
  text: string;
  /** The parts of words in a span; spaces and anything inserted between words have none. */
  pieces(start: number, end: number): Piece[];
  /** The position of a span: a box per line, and the words it touches. */
  spansToBoxes(start: number, end: number): { boxes: Box[]; words: number[] };
};

type Draft = { text: string; words: number[]; units: number[] };

const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Part of a URL: no space belongs where its line was broken. */
const unbroken = /(@|:\/\/|^www\.)\S*$/i;

function literal(draft: Draft, text: string): void {
  draft.text += text;
  for (let at = 0; at < text.length; at += 1) {
    draft.words.push(-1);
    draft.units.push(-1);
  }
}

function addWord(draft: Draft, model: PageModel, word: number): void {
  const text = model.words[word]?.text ?? '';
  draft.text += text;
  for (let at = 0; at < text.length; at += 1) {
    draft.words.push(word);
    draft.units.push(at);
  }
}

function addLine(draft: Draft, model: PageModel, line: ModelLine): void {
  for (const [at, word] of line.words.entries()) {
    const before = draft.text.slice(-1);
    const after = model.words[word]?.text ?? '';
    if (at > 0 && !(ideographic.test(before) && ideographic.test(after.slice(0, 1)))) {
      literal(draft, ' ');
    }
    addWord(draft, model, word);
  }
}

/** Removes the last unit: a hyphen that is only there because of the line's end. */
function dropLast(draft: Draft): void {
  draft.text = draft.text.slice(0, -1);
  draft.words.pop();
  draft.units.pop();
}

/** Whether a line ended because the next word did not fit. */
function wraps(line: ModelLine, next: ModelLine, nextText: string, right: number): boolean {
  const [first = ''] = nextText.split(/\s/, 1);
  const room = right - line.to - 0.25 * line.size;
  const width = ((next.to - next.from) * first.length) / Math.max(1, nextText.length);
  return width > room - 0.3 * line.size;
}

const isNumbers = (line: string): boolean =>
  line.replace(/\P{N}/gu, '').length > line.replace(/\P{L}/gu, '').length;

/** Adds what belongs between two lines of a block: nothing, a space or a line break. */
function joinLines(
  draft: Draft,
  line: ModelLine,
  next: ModelLine,
  text: string,
  right: number,
): void {
  const last = draft.text.match(/\S+$/)?.[0] ?? '';
  // A line of numbers does not go on: what stands below it is a column's next row.
  const numbers = isNumbers(draft.text.slice(draft.text.lastIndexOf('\n') + 1));
  const wrapped = !numbers && wraps(line, next, text, right);
  if (/[\p{L}\p{N}]-$/u.test(last) && /^[\p{L}\p{N}]/u.test(text)) {
    // "Schmidt-Rottluff" and "123-45" keep their hyphens; a hyphenated word does not.
    if (/\p{Ll}-$/u.test(last) && /^\p{Ll}/u.test(text) && !unbroken.test(last)) dropLast(draft);
    return;
  }
  if (unbroken.test(last) && /^[^\s(]*[.@/\d]/.test(text) && (wrapped || /[@./_-]$/.test(last)))
    return;
  if (wrapped && ideographic.test(draft.text.slice(-1)) && ideographic.test(text.slice(0, 1)))
    return;
  literal(draft, wrapped ? ' ' : '\n');
}

function lineText(model: PageModel, line: ModelLine): string {
  return line.words.map((word) => model.words[word]?.text ?? '').join(' ');
}

function addLines(draft: Draft, model: PageModel, indexes: readonly number[]): void {
  const lines = indexes.flatMap((index) => model.lines[index] ?? []);
  const right = Math.max(...lines.map(({ to }) => to));
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (before) {
      const beside = Math.abs(before.base - line.base) < 0.35 * Math.min(before.size, line.size);
      if (beside && line.from >= before.to) literal(draft, '\t');
      else joinLines(draft, before, line, lineText(model, line), right);
    }
    addLine(draft, model, line);
  }
}

/** A cell that labels its neighbour: few words, no digits. */
function isLabel(text: string): boolean {
  return /\p{L}/u.test(text) && !/\d/.test(text) && text.split(' ').length <= 5;
}

/** Rows of a table, so that a label and its value are neighbours. */
function addRows(draft: Draft, model: PageModel, rows: readonly (readonly number[])[]): void {
  for (const [at, row] of rows.entries()) {
    if (at > 0) literal(draft, '\n');
    for (const [column, index] of row.entries()) {
      const line = model.lines[index];
      if (!line) continue;
      if (column > 0) {
        const before = model.lines[row[column - 1] ?? -1];
        const label = before ? lineText(model, before) : '';
        if (row.length === 2 && isLabel(label)) literal(draft, label.endsWith(':') ? ' ' : ': ');
        else literal(draft, '\t');
      }
      addLine(draft, model, line);
    }
  }
}

/** Each cell after the text at the top of its column. */
function addCells(draft: Draft, model: PageModel, { columns }: Block): boolean {
  const heads = columns.map(([head]) => model.lines[head ?? -1]);
  const bases = heads.map((head) => head?.base ?? 0);
  const level = Math.max(...bases) - Math.min(...bases) < (heads[0]?.size ?? 0);
  if (columns.length < 2 || !level) return false;
  for (const [column, head] of heads.entries()) {
    const label = head ? lineText(model, head) : '';
    if (!isLabel(label)) return false;
    for (const index of columns[column]?.slice(1) ?? []) {
      const line = model.lines[index];
      if (!line) continue;
      literal(draft, `${label}: `);
      addLine(draft, model, line);
      literal(draft, '\n');
    }
  }
  return true;
}

function finish(draft: Draft, model: PageModel, lines: ReadonlyMap<number, number>): PageText {
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
      // The hyphen of a word that continues on the next line goes with it.
      const { length } = model.words[piece.word]?.text ?? '';
      if (piece.to === length - 1) piece.to = length;
    }
    return found;
  };
  return {
    text: draft.text,
    pieces,
    spansToBoxes: (start, end) => {
      const found = pieces(start, end);
      return {
        boxes: boxesOf(model, found, lines),
        words: [...new Set(found.map(({ word }) => word))],
      };
    },
  };
}

/** Columns of labels for the text beside them, as in forms: they are read row by row. */
function hasLabels(model: PageModel, { columns }: Block): boolean {
  if (columns.length > 2) return true;
  const first = columns[0] ?? [];
  const labels = first.filter((index) => {
    const line = model.lines[index];
    return line !== undefined && /[:：]$/.test(lineText(model, line));
  });
  return labels.length * 2 >= first.length;
}

/** The text of a page in reading order: line by line, with an empty line between blocks. */
export function pageText(model: PageModel): PageText {
  const lines = lineOfWords(model);
  const draft: Draft = { text: '', words: [], units: [] };
  for (const block of model.blocks) {
    if (block.lines.length === 0) continue;
    if (draft.text !== '') literal(draft, '\n\n');
    if (block.kind !== 'table') addLines(draft, model, block.lines);
    else if (hasLabels(model, block)) addRows(draft, model, tableRows(model.lines, block.lines));
    else {
      for (const [at, column] of block.columns.entries()) {
        if (at > 0) literal(draft, '\n\n');
        addLines(draft, model, column);
      }
    }
  }
  return finish(draft, model, lines);
}

/**
 * The other reading of a page's tables: down their columns or along their rows, whichever `pageText`
 * does not use, and every cell after its column's head. For values that are found by their context.
 */
export function otherReadings(model: PageModel): PageText[] {
  const lines = lineOfWords(model);
  const readings: PageText[] = [];
  for (const block of model.blocks) {
    if (block.kind !== 'table') continue;
    const other: Draft = { text: '', words: [], units: [] };
    if (hasLabels(model, block)) {
      for (const column of block.columns) {
        addLines(other, model, column);
        literal(other, '\n\n');
      }
    } else addRows(other, model, tableRows(model.lines, block.lines));
    readings.push(finish(other, model, lines));
    const cells: Draft = { text: '', words: [], units: [] };
    if (addCells(cells, model, block)) readings.push(finish(cells, model, lines));
  }
  return readings;
}
