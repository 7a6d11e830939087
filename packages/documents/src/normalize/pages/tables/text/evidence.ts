import { median } from '../../../../geometry.ts';
import type { Draft, DraftCell } from '../assemble.ts';
import type { TableWord } from '../types.ts';

/** Evidence for and against reading rows and columns of text as a table. */
export type Evidence = {
  rows: number;
  columns: number;
  /** The share of positions with text. */
  filled: number;
  /** The 90th percentile of the number of words in a cell. */
  longest: number;
  /** The share of columns after the first whose cells are aligned. */
  aligned: number;
  /**
   * The number of columns after the first that contain mostly numbers, or marks of one or two
   * letters.
   */
  numeric: number;
  leaders: boolean;
  /** Whether many cells contain mathematical symbols. */
  formulas: boolean;
  markers: boolean;
  /** Whether rows end in increasing page numbers, beside numbered headings. */
  contents: boolean;
  labels: boolean;
  /** Whether column heads are bold and the rows below are not. */
  headed: boolean;
  /** The distance between most rows, in font sizes. */
  pitch: number;
};

const leader = /(\.\s?){4,}|…{2,}|_{4,}/;
const marker =
  /^([•●○▪■□☐☑☒◦‣–—*·o-]|\(?([0-9]{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]|\[[\p{N}\p{Lu}+,-]{1,12}\])$/u;

/** A counter of several parts. */
const deepMarker = /^\d{1,3}(?:\.\d{1,3})+\.?$/;
/** Whether a text is the marker of a list item. */
export const isMarker = (text: string): boolean => marker.test(text) || deepMarker.test(text);

const formula = /[=∂∑∫∏∈∉⊂⊆≤≥∀∃∗∇√∞⟨⟩⎛-⎭]/u;

/** Returns the words of a phrase or cell as text, separated by spaces. */
export const textOf = (cell: Pick<DraftCell, 'words'>, words: readonly TableWord[]): string =>
  cell.words.map((index) => words[index]?.text ?? '').join(' ');

/** Returns the deviation from the median that most values do not exceed. */
function spread(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = median(sorted);
  const off = sorted.map((value) => Math.abs(value - middle)).sort((a, b) => a - b);
  return off[Math.floor(off.length * 0.7)] ?? 0;
}

/** Whether a text is a number, possibly with a unit, or a mark that represents a value. */
export const isValue = (text: string): boolean => {
  const digits = text.match(/\d/g)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (
    (digits > 0 && letters <= digits + 4) || /^([-–—✓✗×xX✔✘]|n\/?a|yes|no)$/iu.test(text.trim())
  );
};

/** Years are column heads as often as values. */
export const year = /^(19|20)\d\d\D{0,3}$/;

const heading = /^(\p{N}{1,2}(\.\p{N}{1,2})*\.?|[A-Z]|[IVX]{1,5})$/u;

/** Whether the rows are headings with their page numbers. */
function isContents(draft: Draft, words: readonly TableWord[]): boolean {
  const columns = draft.xs.length - 1;
  if (columns > 4) return false;
  let page = 0;
  let rows = 0;
  let numbered = 0;
  for (const { row, column, columnSpan, words: own } of draft.cells) {
    if (column === 0 && heading.test(words[own[0] ?? -1]?.text ?? '')) numbered += 1;
    if (own.length === 0 || column + columnSpan < columns || columns === 1) continue;
    for (const index of own) {
      const text = words[index]?.text ?? '';
      if (!/^\p{N}{1,3}$/u.test(text) || Number(text) < page) return false;
      page = Number(text);
    }
    if (columnSpan === 1 && row >= 0) rows += 1;
  }
  return rows >= 3 && numbered >= 0.5 * rows;
}

export function evidenceOf(draft: Draft, words: readonly TableWord[], size: number): Evidence {
  const rows = draft.ys.length - 1;
  const columns = draft.xs.length - 1;
  const used = draft.cells.filter((cell) => cell.words.length > 0);
  const single = Array.from({ length: columns }, (): DraftCell[] => []);
  for (const cell of used) if (cell.columnSpan === 1) single[cell.column]?.push(cell);
  let aligned = 0;
  let numeric = 0;
  for (const own of single.slice(1)) {
    const boxes = own.map((cell) => {
      const all = cell.words.flatMap((index) => words[index] ?? []);
      const from = Math.min(...all.map(({ box }) => box[0]));
      return { from, to: Math.max(...all.map(({ box }) => box[2])) };
    });
    const body = boxes.length > 3 ? boxes.slice(1) : boxes;
    const off = [
      spread(body.map(({ from }) => from)),
      spread(body.map(({ to }) => to)),
      spread(body.map(({ from, to }) => (from + to) / 2)),
    ];
    if (body.length > 1 && Math.min(...off) < 0.35 * size) aligned += 1;
    const values = own.filter((cell) => isValue(textOf(cell, words))).length;
    if (values >= 0.6 * Math.max(1, own.length - 1)) numeric += 1;
  }
  const counts = used.map((cell) => cell.words.length).sort((a, b) => a - b);
  const covered = used.reduce((sum, cell) => sum + cell.columnSpan, 0);
  const firsts = (single[0] ?? []).map((cell) => textOf(cell, words));
  const all = used.map((cell) => textOf(cell, words));
  const share = (texts: readonly string[], is: (text: string) => boolean): number =>
    texts.length === 0 ? 0 : texts.filter(is).length / texts.length;
  const rowsWithLeaders = new Set(
    used.filter((cell) => leader.test(textOf(cell, words))).map(({ row }) => row),
  );
  const isBold = ({ words: own }: DraftCell): boolean => own.every((index) => words[index]?.bold);
  const heads = used.filter(({ row }) => row === 0);
  const heights = draft.ys.slice(1).map((y, at) => y - (draft.ys[at] ?? 0));
  return {
    headed:
      heads.length > 1 &&
      heads.every(isBold) &&
      used.filter((cell) => cell.row > 0 && isBold(cell)).length <
        0.5 * (used.length - heads.length),
    pitch: median(heights.slice(0, -1)) / size,
    rows,
    columns,
    filled: covered / (rows * columns),
    longest: counts[Math.floor(counts.length * 0.9)] ?? 0,
    aligned: columns > 1 ? aligned / (columns - 1) : 0,
    numeric,
    leaders: rowsWithLeaders.size > 0.25 * rows,
    formulas: share(all, (text) => formula.test(text)) > 0.12,
    contents: isContents(draft, words),
    markers: share(firsts, (text) => marker.test(text)) > 0.5,
    labels: share(columns === 2 ? firsts : all, (text) => /[:：]$/u.test(text)) > 0.4,
  };
}

/**
 * Whether text between rules is a table. Rules are strong evidence, so the text only needs rows and
 * columns without long stretches of prose.
 */
export function isRuledTable(it: Evidence): boolean {
  if (it.rows < 2 || it.columns < 2 || it.leaders || it.contents) return false;
  if (it.formulas && it.filled < 0.7) return false;
  if (it.columns === 2 && it.markers) return false;
  return it.filled >= 0.3 && it.longest <= 40;
}

/** The distance below which lines belong to one text, in font sizes. */
const closeLines = 1.5;

/**
 * Whether short lines beside each other are blocks of text, such as addresses, with the line
 * spacing of running text.
 */
const areBlocks = (it: Evidence): boolean =>
  it.numeric === 0 && !it.headed && it.pitch < closeLines && it.rows <= 7;

/** Whether the rows are names with descriptions beside them, set apart from each other. */
const areNotes = (it: Evidence): boolean =>
  it.rows >= 5 && it.pitch >= closeLines && it.filled >= 0.9 && it.longest <= 6 && it.aligned === 1;

/** Whether two columns of text have bold heads, and their rows are full and set apart. */
const areNamed = (it: Evidence): boolean =>
  it.headed && it.filled >= 0.95 && it.aligned === 1 && it.pitch >= closeLines && it.longest <= 12;

/**
 * Whether alignment alone shows that text is a table. Three or more columns that line up over three
 * rows are a table. Two columns are a table only if the second contains values. Contents with
 * leaders, lists with markers, forms with labels and blanks, columns of prose, and marks beside
 * formulas are not tables.
 */
export function isAlignedTable(it: Evidence): boolean {
  if (it.rows < 3 || it.columns < 2 || it.leaders || it.contents) return false;
  if (it.labels || it.formulas) return false;
  if (it.columns === 2) {
    if (it.markers) return false;
    const isShort = it.rows === 3 && it.headed && it.numeric === 1 && it.filled === 1;
    if (it.rows < 4) return isShort && it.longest <= 8;
    const values = it.numeric === 1 && it.filled >= 0.75 && it.longest <= 8;
    return values || areNotes(it) || areNamed(it);
  }
  if (areBlocks(it)) return false;
  if (it.markers && it.columns === 3) return it.numeric > 0 && it.filled >= 0.7;
  // Cells of several lines form a table if the rows are full.
  const wrapped = it.filled >= 0.8 && it.aligned === 1 && it.pitch > 2;
  return (
    it.filled >= 0.5 &&
    it.longest <= (wrapped && it.headed ? 40 : 12) &&
    it.aligned >= 0.5 &&
    (it.numeric > 0 || it.headed || it.filled >= 0.7)
  );
}
