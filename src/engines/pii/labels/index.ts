import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import type { LabelForm } from './forms.ts';
import { readForm } from './forms.ts';
import { cellUnder, type Line, lineAt, linesOf, mostCells, type Range, textAt } from './layout.ts';
import { type Label, labelsIn, type Meaning } from './scan.ts';

/** How sure a value is by where it stands. */
const scores = { next: 0.8, behindWords: 0.65, beside: 0.7, below: 0.65 } as const;
/** Rows below a label that are read, and how many in a row may not fit. */
const mostRows = 200;
const mostMisses = 2;
/** Words between a label and its number: `NHS number of the patient is …`. */
const mostWords = 6;
const farthest = 64;
/** How close labels of people must be to each other for `Name:` to be a person's. */
const neighbourhood = 400;

/** Opening punctuation and marks before a value. */
const opening = /^[ "'“”„«‹([<*_`~]{0,40}/;
const colon =
  /^[ .*_`)]{0,4}(?:\([^()\n\t]{0,40}\) ?)?[*_`]{0,2}(?:[:=]|\.{2,}|…|_{2,}| [-–>]{1,2} )[:=.…_ *`>-]{0,120}/;
const verb =
  /^(?: ?\([^()\n\t]{0,40}\))? (?:is|are|was|ist|war|lautet|est|es|era|e|jest|to|ar|er|on|vom|am|le|of|op|il|el|em|dnia) (?:the )?/;
/** What may stand between a label and the end of its cell. */
const ending =
  /^(?: ?\([^()\n\t]{0,40}\))?(?: (?:is|are|ist|lautet|est|es|jest|to|ar|er|on))?[ .:*_#)–-]*$/;
const weakGap = /^(?:[ .-]{1,2}|(?=[#(]))/;

interface Context {
  view: TextView;
  labels: readonly Label[];
  /** The labels by where they start. */
  starts: ReadonlyMap<number, Label>;
  /** Starts of labels that a colon follows, in order. */
  stops: readonly number[];
}

/** Where the text of a label's cell goes on, and how it is joined to the label. */
interface Behind {
  at: number;
  joint: 'colon' | 'word' | 'cell';
  cell: Range;
  line: number;
  column: number;
}

function behind({ view }: Context, label: Label): Behind {
  const lines = linesOf(view);
  const line = lineAt(lines, label.start);
  const cells = lines[line]?.cells ?? [];
  const column = Math.max(
    0,
    cells.findIndex(({ end }) => end >= label.end),
  );
  const cell = cells[column] ?? { start: label.start, end: label.end };
  const place = { cell, line, column };
  // Cells that are not told apart.
  if (column >= mostCells) return { at: cell.end + 1, joint: 'word', ...place };
  const after = (form: RegExp): number => {
    const gap = textAt(view.text, label.end, form);
    return gap === null ? -1 : Math.min(label.end + gap.length, cell.end);
  };
  const colonAt = after(colon);
  if (colonAt >= 0) return { at: colonAt, joint: 'colon', ...place };
  if (ending.test(view.text.slice(label.end, Math.min(cell.end, label.end + farthest)))) {
    return { at: cell.end, joint: 'cell', ...place };
  }
  for (const form of [verb, weakGap]) {
    const at = after(form);
    if (at >= 0) return { at, joint: 'word', ...place };
  }
  return { at: cell.end + 1, joint: 'word', ...place };
}

/** Whether a label begins a line, a cell or a part of a sentence. */
function begins({ view }: Context, { start }: Label, cell: Range): boolean {
  return (
    start === cell.start ||
    /(?:^|[.;,|•·([*#>–—/:]|\d\)) ?[*_]{0,2}$/.test(
      view.text.slice(Math.max(cell.start, start - 4), start),
    )
  );
}

const isProse = (form: LabelForm): boolean =>
  form === 'name' || form === 'address' || form === 'text';

/** The end of a place: its cell's, or where the next label with a colon begins. */
function endOf({ stops }: Context, at: number, cell: Range): number {
  let [low, high] = [0, stops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.min(cell.end, stops[low] ?? cell.end);
}

/** Reads a value at a position, after opening punctuation. */
function readAt(context: Context, at: number, cell: Range, form: LabelForm): Range | null {
  const { view } = context;
  // The bracket of an area code is part of its number.
  const gap = textAt(view.text, at, form === 'phone' ? /^ {0,8}/ : opening);
  const start = at + (gap?.length ?? 0);
  // Two letters may begin a number that is not their own.
  const label = context.starts.get(start);
  if (label && label.end - label.start > 2) return null;
  const end = endOf(context, start - 1, cell);
  return start < end ? readForm({ view, start, end }, form) : null;
}

/** Reads the value of a cell that is not a label itself. */
function readCell(context: Context, cell: Range, form: LabelForm): Range | null {
  const label = context.starts.get(cell.start);
  const rest =
    label && context.view.text.slice(label.end, Math.min(cell.end, label.end + farthest));
  if (rest !== undefined && (isProse(form) || /^[ .:*_)]*$/.test(rest))) return null;
  return readAt(context, cell.start, cell, form);
}

/** Reads a number behind a few words of the same sentence. */
function readBehindWords(context: Context, at: number, cell: Range, form: LabelForm): Range | null {
  const text = context.view.text.slice(at, Math.min(cell.end, at + farthest));
  let words = 0;
  for (const { index, 0: gap } of text.matchAll(/[ (]+/g)) {
    words += 1;
    const before = text.slice(0, index);
    if (words > mostWords || /[.;!?\d]/.test(before)) return null;
    const found = readAt(context, at + index + gap.length, cell, form);
    if (found) return found;
  }
  return null;
}

/** Values in the cells below a label: one, or a column of them. */
function readBelow(context: Context, place: Behind, form: LabelForm): Range[] {
  const { view } = context;
  const lines = linesOf(view);
  const head: Line | undefined = lines[place.line];
  if (!head) return [];
  const isColumn = head.cells.length > 1;
  // The labels of an empty form stand below each other like a label and its name.
  if (!isColumn && isProse(form) && place.joint !== 'colon') return [];
  const found: Range[] = [];
  let misses = 0;
  for (let row = place.line + 1; row < lines.length && row <= place.line + mostRows; row += 1) {
    const line = lines[row]!;
    const cell = cellUnder(view, line, head, place.column);
    const value = cell && readCell(context, cell, form);
    const isWhole =
      value &&
      (!isProse(form) || form === 'address' || view.text.slice(value.end, cell.end).trim() === '');
    if (isWhole) {
      found.push(value);
      misses = 0;
      if (!isColumn) break;
    } else misses += 1;
    if (misses >= mostMisses || (!isColumn && line.cells.length > 0)) break;
  }
  return found;
}

/** The values that a label stands for, with their scores. */
function* valuesOf(
  context: Context,
  label: Label,
  meaning: Meaning,
): Generator<Range & { score: number }> {
  const { entry, strength, acronym } = meaning;
  const { form } = entry;
  const place = behind(context, label);
  const { at, joint, cell, line, column } = place;
  const strong = joint !== 'word';
  const prose = isProse(form);
  if (prose && (!strong || !begins(context, label, cell))) return;
  const next = at < cell.end ? readAt(context, at, cell, form) : null;
  if (strength !== 'name' && !strong && !label.numbered) {
    if (next && isCode(context.view.text.slice(next.start, next.end)))
      yield { ...next, score: scores.behindWords };
    return;
  }
  if (next) {
    yield { ...next, score: scores.next };
    return;
  }
  if (at < cell.end) {
    const ended = context.view.text[label.end] === '.';
    if (prose || ended || (!label.numbered && !acronym)) return;
    const far = readBehindWords(context, at, cell, form);
    if (far) yield { ...far, score: scores.behindWords };
    return;
  }
  if (!strong || !(label.numbered || begins(context, label, cell))) return;
  const besideCell = linesOf(context.view)[line]?.cells[column + 1];
  const beside = besideCell && readCell(context, besideCell, form);
  // The next cell of a name may be its value or another heading.
  const below =
    beside && !(prose && isHeading(context, place)) ? [] : readBelow(context, place, form);
  if (below.length > 0) for (const value of below) yield { ...value, score: scores.below };
  else if (beside) yield { ...beside, score: scores.beside };
}

/** Whether a number is a code that nothing is counted or dated by: `KC-268821`, `40744814`. */
function isCode(value: string): boolean {
  const digits = value.replace(/\D/g, '').length;
  return /^\d{7,}$/.test(value) || (/^(?=.*[A-Z])[A-Z\d-]+$/.test(value) && digits >= 4);
}

/** Whether a label is one of a row of headings: words alone, above a row of as many cells. */
function isHeading({ view }: Context, { line, joint }: Behind): boolean {
  const [own, next] = [linesOf(view)[line], linesOf(view)[line + 1]];
  if (joint === 'colon' || !own || own.cells.length < 3) return false;
  return next?.cells.length === own.cells.length && !/\d/.test(view.text.slice(own.start, own.end));
}

/** Whether other labels of people stand near a label that may be one. */
function isAmongPeople(context: Context, index: number): boolean {
  const own = context.labels[index]!;
  return [-3, -2, -1, 1, 2, 3].some((step) => {
    const other = context.labels[index + step];
    if (!other || Math.abs(other.start - own.start) > neighbourhood) return false;
    const { joint, cell } = behind(context, other);
    return (
      joint !== 'word' &&
      begins(context, other, cell) &&
      other.meanings.some(({ strength }) => strength !== 'weak')
    );
  });
}

/** Where labels start that a colon or dots follow. */
const stopsOf = (view: TextView, labels: readonly Label[]): number[] =>
  labels.filter(({ end }) => textAt(view.text, end, colon) !== null).map(({ start }) => start);

/**
 * Where lines of the original text begin with a label and its colon, in order: what is on the
 * lines before ends there.
 */
export function labelledLines(view: TextView): number[] {
  return stopsOf(view, labelsIn(view))
    .filter((start) => /(?:^|\n) *$/.test(view.text.slice(Math.max(0, start - 8), start)))
    .map(view.original);
}

/**
 * Finds values by the labels that name their kind: behind the label, in the cell beside it or in those
 * below. The value only has to have the loosest form of its kind, so that a wrong digit or an unknown
 * format does not hide it.
 */
export function findLabelled(
  view: TextView,
  isWanted: (type: PiiFinding['type']) => boolean,
): PiiFinding[] {
  const labels = labelsIn(view);
  const stops = stopsOf(view, labels);
  const starts = new Map(labels.map((label) => [label.start, label]));
  const context: Context = { view, labels, starts, stops };
  const findings: PiiFinding[] = [];
  labels.forEach((label, index) => {
    for (const meaning of label.meanings) {
      const { type } = meaning.entry;
      if (!isWanted(type)) continue;
      if (meaning.strength === 'weak' && !isAmongPeople(context, index)) continue;
      const before = findings.length;
      for (const { start, end, score } of valuesOf(context, label, meaning)) {
        findings.push({
          type,
          start: view.original(start),
          end: view.original(end - 1) + 1,
          score,
        });
      }
      if (findings.length > before) break;
    }
  });
  return findings;
}
