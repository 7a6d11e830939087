import { tableRows } from './blocks.ts';
import { lineByWord } from './boxes.ts';
import { filledFields } from './fields.ts';
import { areSeparated, type GapKind, gapKinds } from './line-gaps.ts';
import {
  addLiteral,
  addWord,
  type MappedText,
  newTextDraft,
  removeLastUnit,
  type TextDraft,
  toMappedText,
} from './mapped-text.ts';
import type { Block, ModelLine, PageModel } from './page.ts';
import { spelledValues } from './spelled-values.ts';

/** An alternative reading of a part of a page. */
export type AlternativeReading = MappedText & {
  /**
   * Whether the reading joins text that may be separate. In such a reading, only values with a
   * fixed format count.
   */
  joins: boolean;
};

const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The end of a URL. No space is inserted where its line breaks. */
const urlEnd = /(@|:\/\/|^www\.)\S*$/i;

/** Whether a rule separates two words. They are then in separate cells, even if they are close. */
function isSeparated(model: PageModel, first: number | undefined, second: number): boolean {
  const [left, right] = [model.words[first ?? -1], model.words[second]];
  return left !== undefined && right !== undefined && areSeparated(model, left.box, right.box);
}

function addLine(draft: TextDraft, model: PageModel, line: ModelLine): void {
  for (const [at, word] of line.words.entries()) {
    const before = draft.text.slice(-1);
    const { text: after = '', joined } = model.words[word] ?? {};
    if (at > 0 && !joined && !(ideographic.test(before) && ideographic.test(after.slice(0, 1)))) {
      addLiteral(draft, isSeparated(model, line.words[at - 1], word) ? '\t' : ' ');
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
  const freeWidth = right - line.to - 0.25 * line.size;
  const width = ((next.to - next.from) * first.length) / Math.max(1, nextText.length);
  return width > freeWidth - 0.3 * line.size;
}

const isNumeric = (line: string): boolean =>
  line.replace(/\P{N}/gu, '').length > line.replace(/\P{L}/gu, '').length;

/** Adds the separator between two lines of a block: nothing, a space or a line break. */
function joinLines(
  draft: TextDraft,
  line: ModelLine,
  next: ModelLine,
  text: string,
  right: number,
): void {
  const last = draft.text.match(/\S+$/)?.[0] ?? '';
  // A line of numbers or cells does not continue on the next line, which is the next row.
  const lastLine = draft.text.slice(draft.text.lastIndexOf('\n') + 1);
  const isWrapped =
    !lastLine.includes('\t') && !isNumeric(lastLine) && wraps(line, next, text, right);
  if (/[\p{L}\p{N}]-$/u.test(last) && /^[\p{L}\p{N}]/u.test(text)) {
    // "Schmidt-Rottluff" and "123-45" keep their hyphens. A word that is hyphenated at the end of a
    // line does not.
    if (/\p{Ll}-$/u.test(last) && /^\p{Ll}/u.test(text) && !urlEnd.test(last))
      removeLastUnit(draft);
    return;
  }
  if (urlEnd.test(last) && /^[^\s(]*[.@/\d]/.test(text) && (isWrapped || /[@./_-]$/.test(last)))
    return;
  if (isWrapped && ideographic.test(draft.text.slice(-1)) && ideographic.test(text.slice(0, 1)))
    return;
  addLiteral(draft, isWrapped ? ' ' : '\n');
}

function lineText(model: PageModel, line: ModelLine): string {
  return line.words
    .map((word, at) => {
      const gap = at === 0 ? '' : isSeparated(model, line.words[at - 1], word) ? '\t' : ' ';
      return gap + (model.words[word]?.text ?? '');
    })
    .join('');
}

/** The separator to write for each kind of gap. */
type Separators = Readonly<Record<GapKind, string>>;
const defaultSeparators: Separators = { wall: '\t', unknown: '\t', space: ' ' };
/** The usual separators with the gaps in running text as tabs, and with unknown gaps as spaces. */
const splittingSeparators: Separators = { ...defaultSeparators, space: '\t' };
const joiningSeparators: Separators = { ...defaultSeparators, unknown: ' ' };

function addLines(
  draft: TextDraft,
  model: PageModel,
  indexes: readonly number[],
  separators = defaultSeparators,
): void {
  const lines = indexes.flatMap((index) => model.lines[index] ?? []);
  const kinds = gapKinds(model, lines);
  const right = Math.max(...lines.map(({ to }) => to));
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const kind = kinds.get(line);
    if (kind) addLiteral(draft, separators[kind]);
    else if (before) joinLines(draft, before, line, lineText(model, line), right);
    addLine(draft, model, line);
  }
}

/** Whether a cell is a label of its neighbour: it has few words, no digits and no further cells. */
function isLabel(text: string): boolean {
  return /\p{L}/u.test(text) && !/[\d\t]/.test(text) && text.split(' ').length <= 5;
}

/** Adds the rows of a table, with labels next to their values. */
function addRows(
  draft: TextDraft,
  model: PageModel,
  rows: readonly (readonly number[])[],
  separators?: Separators,
): void {
  const kinds =
    separators &&
    gapKinds(
      model,
      rows.flat().flatMap((index) => model.lines[index] ?? []),
    );
  for (const [at, row] of rows.entries()) {
    if (at > 0) addLiteral(draft, '\n');
    for (const [column, index] of row.entries()) {
      const line = model.lines[index];
      if (!line) continue;
      if (column > 0) {
        const before = model.lines[row[column - 1] ?? -1];
        const label = before ? lineText(model, before) : '';
        const kind = kinds?.get(line);
        if (separators && kind === 'unknown') addLiteral(draft, separators[kind]);
        else if (row.length === 2 && isLabel(label))
          addLiteral(draft, label.endsWith(':') ? ' ' : ': ');
        else addLiteral(draft, '\t');
      }
      addLine(draft, model, line);
    }
  }
}

/** Adds each cell after the text at the top of its column. */
function addCells(draft: TextDraft, model: PageModel, { columns }: Block): boolean {
  const heads = columns.map(([head]) => model.lines[head ?? -1]);
  const bases = heads.map((head) => head?.base ?? 0);
  const isLevel = Math.max(...bases) - Math.min(...bases) < (heads[0]?.size ?? 0);
  if (columns.length < 2 || !isLevel) return false;
  for (const [column, head] of heads.entries()) {
    const label = head ? lineText(model, head) : '';
    if (!isLabel(label)) return false;
    for (const index of columns[column]?.slice(1) ?? []) {
      const line = model.lines[index];
      if (!line) continue;
      addLiteral(draft, `${label}: `);
      addLine(draft, model, line);
      addLiteral(draft, '\n');
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
export function readPageText(model: PageModel): MappedText {
  const lines = lineByWord(model);
  const draft = newTextDraft();
  for (const block of model.blocks) {
    if (block.lines.length === 0) continue;
    if (draft.text !== '') addLiteral(draft, '\n\n');
    if (block.kind !== 'table') addLines(draft, model, block.lines);
    else if (hasLabels(model, block)) addRows(draft, model, tableRows(model.lines, block.lines));
    else {
      for (const [at, column] of block.columns.entries()) {
        if (at > 0) addLiteral(draft, '\n\n');
        addLines(draft, model, column);
      }
    }
  }
  return toMappedText(draft, model, lines);
}

/**
 * Returns the alternative readings of a page, in which values are found by their context:
 * - tables in the direction that `readPageText` does not use: down the columns or along the rows;
 * - every cell of a table after the head of its column;
 * - lines with wide gaps that may be spaces, joined; lines of running text, divided at their gaps;
 * - every form field after its name;
 * - values written one letter per box, each as a word after its label.
 */
export function alternativeReadings(model: PageModel): AlternativeReading[] {
  const lines = lineByWord(model);
  const readings: AlternativeReading[] = [];
  const add = (draft: TextDraft, joins = false): void => {
    readings.push({ ...toMappedText(draft, model, lines), joins });
  };
  for (const block of model.blocks) {
    const blockLines = block.lines.flatMap((index) => model.lines[index] ?? []);
    if (block.kind !== 'table') {
      const kinds = new Set(gapKinds(model, blockLines).values());
      for (const [kind, separators] of [
        ['unknown', joiningSeparators],
        ['space', splittingSeparators],
      ] as const) {
        if (!kinds.has(kind)) continue;
        const alternative = newTextDraft();
        addLines(alternative, model, block.lines, separators);
        add(alternative, kind === 'unknown');
      }
      continue;
    }
    const rows = tableRows(model.lines, block.lines);
    const alternative = newTextDraft();
    if (hasLabels(model, block)) {
      for (const column of block.columns) {
        addLines(alternative, model, column);
        addLiteral(alternative, '\n\n');
      }
    } else addRows(alternative, model, rows);
    add(alternative);
    const cellDraft = newTextDraft();
    if (addCells(cellDraft, model, block)) add(cellDraft);
    const rowLines = rows.flat().flatMap((index) => model.lines[index] ?? []);
    if (![...gapKinds(model, rowLines).values()].includes('unknown')) continue;
    const joinedDraft = newTextDraft();
    addRows(joinedDraft, model, rows, joiningSeparators);
    add(joinedDraft, true);
  }
  const fieldDraft = newTextDraft();
  for (const { label, words } of filledFields(model.fields, model.words)) {
    addLiteral(fieldDraft, `${label}:`);
    for (const word of words) {
      addLiteral(fieldDraft, ' ');
      addWord(fieldDraft, model, word);
    }
    addLiteral(fieldDraft, '\n');
  }
  if (fieldDraft.text !== '') add(fieldDraft);
  const spelledDraft = newTextDraft();
  for (const { label, letters } of spelledValues(model)) {
    if (label !== '') addLiteral(spelledDraft, `${label.replace(/:$/, '')}: `);
    for (const word of letters) {
      if (word === null) addLiteral(spelledDraft, ' ');
      else addWord(spelledDraft, model, word);
    }
    addLiteral(spelledDraft, '\n');
  }
  if (spelledDraft.text !== '') add(spelledDraft);
  return readings;
}
