import { median } from '../../../../geometry.ts';
import type { DraftCell, TableDraft } from '../assemble.ts';
import type { TableWord } from '../types.ts';

/** Evidence for and against reading rows and columns of text as a table. */
export type Evidence = {
  rows: number;
  columns: number;
  /** The share of positions with text. */
  filledShare: number;
  /** The 90th percentile of the number of words in a cell. */
  maxWords: number;
  /** The share of columns after the first whose cells are aligned. */
  alignedShare: number;
  /**
   * The number of columns after the first that contain mostly numbers, or marks of one or two
   * letters.
   */
  numericColumns: number;
  hasLeaders: boolean;
  /** Whether many cells contain mathematical symbols. */
  hasFormulas: boolean;
  hasMarkers: boolean;
  /** Whether the rows are numbered headings that end with increasing page numbers. */
  isContents: boolean;
  hasLabels: boolean;
  /** Whether column heads are bold and the rows below are not. */
  hasBoldHeads: boolean;
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
  const deviations = sorted.map((value) => Math.abs(value - middle)).sort((a, b) => a - b);
  return deviations[Math.floor(deviations.length * 0.7)] ?? 0;
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

const headingNumber = /^(\p{N}{1,2}(\.\p{N}{1,2})*\.?|[A-Z]|[IVX]{1,5})$/u;

/** Whether the rows are headings with their page numbers. */
function isContents(draft: TableDraft, words: readonly TableWord[]): boolean {
  const columns = draft.xs.length - 1;
  if (columns > 4) return false;
  let page = 0;
  let rows = 0;
  let numberedCount = 0;
  for (const { row, column, columnSpan, words: own } of draft.cells) {
    if (column === 0 && headingNumber.test(words[own[0] ?? -1]?.text ?? '')) numberedCount += 1;
    if (own.length === 0 || column + columnSpan < columns || columns === 1) continue;
    for (const index of own) {
      const text = words[index]?.text ?? '';
      if (!/^\p{N}{1,3}$/u.test(text) || Number(text) < page) return false;
      page = Number(text);
    }
    if (columnSpan === 1 && row >= 0) rows += 1;
  }
  return rows >= 3 && numberedCount >= 0.5 * rows;
}

export function evidenceOf(draft: TableDraft, words: readonly TableWord[], size: number): Evidence {
  const rows = draft.ys.length - 1;
  const columns = draft.xs.length - 1;
  const filledCells = draft.cells.filter((cell) => cell.words.length > 0);
  const singleColumnCells = Array.from({ length: columns }, (): DraftCell[] => []);
  for (const cell of filledCells)
    if (cell.columnSpan === 1) singleColumnCells[cell.column]?.push(cell);
  let alignedColumns = 0;
  let numericColumns = 0;
  for (const columnCells of singleColumnCells.slice(1)) {
    const boxes = columnCells.map((cell) => {
      const cellWords = cell.words.flatMap((index) => words[index] ?? []);
      const from = Math.min(...cellWords.map(({ box }) => box[0]));
      return { from, to: Math.max(...cellWords.map(({ box }) => box[2])) };
    });
    const body = boxes.length > 3 ? boxes.slice(1) : boxes;
    const spreads = [
      spread(body.map(({ from }) => from)),
      spread(body.map(({ to }) => to)),
      spread(body.map(({ from, to }) => (from + to) / 2)),
    ];
    if (body.length > 1 && Math.min(...spreads) < 0.35 * size) alignedColumns += 1;
    const values = columnCells.filter((cell) => isValue(textOf(cell, words))).length;
    if (values >= 0.6 * Math.max(1, columnCells.length - 1)) numericColumns += 1;
  }
  const counts = filledCells.map((cell) => cell.words.length).sort((a, b) => a - b);
  const covered = filledCells.reduce((sum, cell) => sum + cell.columnSpan, 0);
  const firstColumnTexts = (singleColumnCells[0] ?? []).map((cell) => textOf(cell, words));
  const cellTexts = filledCells.map((cell) => textOf(cell, words));
  const share = (texts: readonly string[], test: (text: string) => boolean): number =>
    texts.length === 0 ? 0 : texts.filter(test).length / texts.length;
  const rowsWithLeaders = new Set(
    filledCells.filter((cell) => leader.test(textOf(cell, words))).map(({ row }) => row),
  );
  const isBold = ({ words: own }: DraftCell): boolean => own.every((index) => words[index]?.bold);
  const heads = filledCells.filter(({ row }) => row === 0);
  const heights = draft.ys.slice(1).map((y, at) => y - (draft.ys[at] ?? 0));
  return {
    hasBoldHeads:
      heads.length > 1 &&
      heads.every(isBold) &&
      filledCells.filter((cell) => cell.row > 0 && isBold(cell)).length <
        0.5 * (filledCells.length - heads.length),
    pitch: median(heights.slice(0, -1)) / size,
    rows,
    columns,
    filledShare: covered / (rows * columns),
    maxWords: counts[Math.floor(counts.length * 0.9)] ?? 0,
    alignedShare: columns > 1 ? alignedColumns / (columns - 1) : 0,
    numericColumns,
    hasLeaders: rowsWithLeaders.size > 0.25 * rows,
    hasFormulas: share(cellTexts, (text) => formula.test(text)) > 0.12,
    isContents: isContents(draft, words),
    hasMarkers: share(firstColumnTexts, (text) => marker.test(text)) > 0.5,
    hasLabels:
      share(columns === 2 ? firstColumnTexts : cellTexts, (text) => /[:：]$/u.test(text)) > 0.4,
  };
}

/**
 * Whether text between rules is a table. Rules are strong evidence, so the text only needs rows and
 * columns without long stretches of prose.
 */
export function isRuledTable(evidence: Evidence): boolean {
  if (evidence.rows < 2 || evidence.columns < 2 || evidence.hasLeaders || evidence.isContents)
    return false;
  if (evidence.hasFormulas && evidence.filledShare < 0.7) return false;
  if (evidence.columns === 2 && evidence.hasMarkers) return false;
  // The rules of frames and running heads may be alike, but the text between them is not aligned.
  if (evidence.alignedShare === 0 && evidence.numericColumns === 0) return false;
  return evidence.filledShare >= 0.3 && evidence.maxWords <= 40;
}

/** The distance below which lines belong to one text, in font sizes. */
const minRowPitch = 1.5;

/**
 * Whether short adjacent lines are blocks of text, such as addresses, with the line spacing of
 * running text.
 */
const areBlocks = (evidence: Evidence): boolean =>
  evidence.numericColumns === 0 &&
  !evidence.hasBoldHeads &&
  evidence.pitch < minRowPitch &&
  evidence.rows <= 7;

/** Whether the rows are names with descriptions, set apart from each other. */
const areNotes = (evidence: Evidence): boolean =>
  evidence.rows >= 5 &&
  evidence.pitch >= minRowPitch &&
  evidence.filledShare >= 0.9 &&
  evidence.maxWords <= 6 &&
  evidence.alignedShare === 1;

/** Whether two columns of text have bold heads, and rows that are full and set apart. */
const areNamed = (evidence: Evidence): boolean =>
  evidence.hasBoldHeads &&
  evidence.filledShare >= 0.95 &&
  evidence.alignedShare === 1 &&
  evidence.pitch >= minRowPitch &&
  evidence.maxWords <= 12;

/**
 * Whether alignment alone shows that text is a table. Three or more columns that line up over three
 * rows are a table. Two columns are a table only if the second contains values. Contents with
 * leaders, lists with markers, forms with labels and blanks, columns of prose, and marks beside
 * formulas are not tables.
 */
export function isAlignedTable(evidence: Evidence): boolean {
  if (evidence.rows < 3 || evidence.columns < 2 || evidence.hasLeaders || evidence.isContents)
    return false;
  if (evidence.hasLabels || evidence.hasFormulas) return false;
  if (evidence.columns === 2) {
    if (evidence.hasMarkers) return false;
    const isShort =
      evidence.rows === 3 &&
      evidence.hasBoldHeads &&
      evidence.numericColumns === 1 &&
      evidence.filledShare === 1;
    if (evidence.rows < 4) return isShort && evidence.maxWords <= 8;
    const hasValues =
      evidence.numericColumns === 1 && evidence.filledShare >= 0.75 && evidence.maxWords <= 8;
    return hasValues || areNotes(evidence) || areNamed(evidence);
  }
  if (areBlocks(evidence)) return false;
  if (evidence.hasMarkers && evidence.columns === 3)
    return evidence.numericColumns > 0 && evidence.filledShare >= 0.7;
  // Cells of several lines form a table if the rows are full.
  const hasWrappedCells =
    evidence.filledShare >= 0.8 && evidence.alignedShare === 1 && evidence.pitch > 2;
  return (
    evidence.filledShare >= 0.5 &&
    evidence.maxWords <= (hasWrappedCells && evidence.hasBoldHeads ? 40 : 12) &&
    evidence.alignedShare >= 0.5 &&
    (evidence.numericColumns > 0 || evidence.hasBoldHeads || evidence.filledShare >= 0.7)
  );
}
