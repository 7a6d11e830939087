import { tableRows } from './blocks.ts';
import { lineOfWords } from './boxes.ts';
import {
  addWord,
  type Draft,
  dropLast,
  finish,
  literal,
  newDraft,
  type PageText,
} from './draft.ts';
import { filledFields } from './fields.ts';
import type { Block, ModelLine, PageModel } from './page.ts';
import { spelledValues } from './spelled.ts';
import { areParted, type GapKind, gapKinds } from './walls.ts';

/** An alternative reading of a part of a page. */
export type OtherReading = PageText & {
  /**
   * Whether the reading joins text that may be separate. In such a reading, only values with a
   * fixed format count.
   */
  joins: boolean;
};

const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The end of a URL. No space is inserted where its line breaks. */
const unbroken = /(@|:\/\/|^www\.)\S*$/i;

/** Whether a rule separates two words. They are then separate cells, however close they are. */
function isWall(model: PageModel, one: number | undefined, other: number): boolean {
  const [left, right] = [model.words[one ?? -1], model.words[other]];
  return left !== undefined && right !== undefined && areParted(model, left.box, right.box);
}

function addLine(draft: Draft, model: PageModel, line: ModelLine): void {
  for (const [at, word] of line.words.entries()) {
    const before = draft.text.slice(-1);
    const { text: after = '', joined } = model.words[word] ?? {};
    if (at > 0 && !joined && !(ideographic.test(before) && ideographic.test(after.slice(0, 1)))) {
      literal(draft, isWall(model, line.words[at - 1], word) ? '\t' : ' ');
    }
    addWord(draft, model, word);
  }
}

/** Minimum ratio of the letter sizes of two lines that are not one text. */
const otherSize = 1.45;

/** Whether a line ends because the next word did not fit. */
function wraps(line: ModelLine, next: ModelLine, nextText: string, right: number): boolean {
  // A heading or a name in large letters does not continue in small print.
  if (Math.max(line.size, next.size) >= otherSize * Math.min(line.size, next.size)) return false;
  const [first = ''] = nextText.split(/\s/, 1);
  const room = right - line.to - 0.25 * line.size;
  const width = ((next.to - next.from) * first.length) / Math.max(1, nextText.length);
  return width > room - 0.3 * line.size;
}

const isNumbers = (line: string): boolean =>
  line.replace(/\P{N}/gu, '').length > line.replace(/\P{L}/gu, '').length;

/** Adds the separator between two lines of a block: nothing, a space or a line break. */
function joinLines(
  draft: Draft,
  line: ModelLine,
  next: ModelLine,
  text: string,
  right: number,
): void {
  const last = draft.text.match(/\S+$/)?.[0] ?? '';
  // A line of numbers or cells does not continue on the next line, which is the next row.
  const own = draft.text.slice(draft.text.lastIndexOf('\n') + 1);
  const wrapped = !own.includes('\t') && !isNumbers(own) && wraps(line, next, text, right);
  if (/[\p{L}\p{N}]-$/u.test(last) && /^[\p{L}\p{N}]/u.test(text)) {
    // "Schmidt-Rottluff" and "123-45" keep their hyphens. A word that is hyphenated at the end of a
    // line does not.
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
  return line.words
    .map((word, at) => {
      const gap = at === 0 ? '' : isWall(model, line.words[at - 1], word) ? '\t' : ' ';
      return gap + (model.words[word]?.text ?? '');
    })
    .join('');
}

/** The separator to write for each kind of gap. */
type Signs = Readonly<Record<GapKind, string>>;
const usual: Signs = { wall: '\t', unknown: '\t', space: ' ' };
/** The usual separators with the gaps in running text as tabs, and with unknown gaps as spaces. */
const apart: Signs = { ...usual, space: '\t' };
const together: Signs = { ...usual, unknown: ' ' };

function addLines(draft: Draft, model: PageModel, indexes: readonly number[], signs = usual): void {
  const lines = indexes.flatMap((index) => model.lines[index] ?? []);
  const kinds = gapKinds(model, lines);
  const right = Math.max(...lines.map(({ to }) => to));
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const kind = kinds.get(line);
    if (kind) literal(draft, signs[kind]);
    else if (before) joinLines(draft, before, line, lineText(model, line), right);
    addLine(draft, model, line);
  }
}

/** Whether a cell is a label of its neighbour: it has few words, no digits and no further cells. */
function isLabel(text: string): boolean {
  return /\p{L}/u.test(text) && !/[\d\t]/.test(text) && text.split(' ').length <= 5;
}

/** Adds the rows of a table, so that a label is next to its value. */
function addRows(
  draft: Draft,
  model: PageModel,
  rows: readonly (readonly number[])[],
  signs?: Signs,
): void {
  const kinds =
    signs &&
    gapKinds(
      model,
      rows.flat().flatMap((index) => model.lines[index] ?? []),
    );
  for (const [at, row] of rows.entries()) {
    if (at > 0) literal(draft, '\n');
    for (const [column, index] of row.entries()) {
      const line = model.lines[index];
      if (!line) continue;
      if (column > 0) {
        const before = model.lines[row[column - 1] ?? -1];
        const label = before ? lineText(model, before) : '';
        const kind = kinds?.get(line);
        if (signs && kind === 'unknown') literal(draft, signs[kind]);
        else if (row.length === 2 && isLabel(label))
          literal(draft, label.endsWith(':') ? ' ' : ': ');
        else literal(draft, '\t');
      }
      addLine(draft, model, line);
    }
  }
}

/** Adds each cell after the text at the top of its column. */
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

/** Whether columns are labels for the text beside them, as in forms. They are read row by row. */
function hasLabels(model: PageModel, { columns }: Block): boolean {
  if (columns.length > 2) return true;
  const first = columns[0] ?? [];
  const labels = first.filter((index) => {
    const line = model.lines[index];
    return line !== undefined && /[:：]$/.test(lineText(model, line));
  });
  return labels.length * 2 >= first.length;
}

/** Returns a page's text in reading order: line by line, with an empty line between blocks. */
export function pageText(model: PageModel): PageText {
  const lines = lineOfWords(model);
  const draft = newDraft();
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
 * Returns the alternative readings of a page, in which values are found by their context:
 * - tables in the direction that `pageText` does not use, down the columns or along the rows;
 * - every cell of a table after the head of its column;
 * - lines with wide gaps that may be spaces, joined; lines of running text, divided at their gaps;
 * - every form field after its name;
 * - values written one letter per box, each as a word after its label.
 */
export function otherReadings(model: PageModel): OtherReading[] {
  const lines = lineOfWords(model);
  const readings: OtherReading[] = [];
  const add = (draft: Draft, joins = false): void => {
    readings.push({ ...finish(draft, model, lines), joins });
  };
  for (const block of model.blocks) {
    const own = block.lines.flatMap((index) => model.lines[index] ?? []);
    if (block.kind !== 'table') {
      const kinds = new Set(gapKinds(model, own).values());
      for (const [kind, signs] of [
        ['unknown', together],
        ['space', apart],
      ] as const) {
        if (!kinds.has(kind)) continue;
        const other = newDraft();
        addLines(other, model, block.lines, signs);
        add(other, kind === 'unknown');
      }
      continue;
    }
    const rows = tableRows(model.lines, block.lines);
    const other = newDraft();
    if (hasLabels(model, block)) {
      for (const column of block.columns) {
        addLines(other, model, column);
        literal(other, '\n\n');
      }
    } else addRows(other, model, rows);
    add(other);
    const cells = newDraft();
    if (addCells(cells, model, block)) add(cells);
    const inRows = rows.flat().flatMap((index) => model.lines[index] ?? []);
    if (![...gapKinds(model, inRows).values()].includes('unknown')) continue;
    const joined = newDraft();
    addRows(joined, model, rows, together);
    add(joined, true);
  }
  const filled = newDraft();
  for (const { label, words } of filledFields(model.fields, model.words)) {
    literal(filled, `${label}:`);
    for (const word of words) {
      literal(filled, ' ');
      addWord(filled, model, word);
    }
    literal(filled, '\n');
  }
  if (filled.text !== '') add(filled);
  const spelled = newDraft();
  for (const { label, letters } of spelledValues(model)) {
    if (label !== '') literal(spelled, `${label.replace(/:$/, '')}: `);
    for (const word of letters) {
      if (word === null) literal(spelled, ' ');
      else addWord(spelled, model, word);
    }
    literal(spelled, '\n');
  }
  if (spelled.text !== '') add(spelled);
  return readings;
}
