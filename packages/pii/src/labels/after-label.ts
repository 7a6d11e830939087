import type { TextView } from '../view.ts';
import { lineAt, linesOf, maxCells, type Range, textAt } from './layout.ts';
import type { Label } from './scan.ts';

/** The position after a label, and how the text there is joined to the label. */
export interface AfterLabel {
  at: number;
  joint: 'colon' | 'word' | 'cell';
  cell: Range;
  line: number;
  column: number;
}

const bracketed = '(?: ?\\([^()\\n\\t]{0,40}\\))?';
const bracketedWithoutDigits = '(?: ?\\([^()\\n\\t\\d]{0,40}\\))?';
/** A colon, dots, an arrow, a tag of markup, or quotes as in JSON. */
export const colon = new RegExp(
  `^["'”\\]]?[ .*_\`)†¹²³]{0,4}${bracketed} ?[*_\`"']{0,2} ?(?:[:=]|\\? {1,4}(?:a(?:nswer)?:)?|\\.{2,}|…|_{2,}| ?(?:->|=>|→|»|›|>) ?| -{1,3} |(?:</?[a-z][^<>\\n]{0,60}>\\s{0,4}){1,6})[:=.…_ *\`>-]{0,120}`,
  'i',
);
const verbs =
  `is are was were reads being ist war lautet lauten sind est etait sont es son era e eh sono luidt
  zijn sao foi jest to brzmi byl ar er on oli je jsou este sunt vom am le of op il el em dnia la
  dne den na az ειναι το это - nr no n`
    .split(/\s+/)
    .join('|');
const verb = new RegExp(
  `^(?:${bracketed},? (?:${verbs})(?: (?:also|now|the|als|auch|le|el|il|o|a))?[: ] ?| ?(?:是|为|為|は|が|은|는|이|가) ?)`,
);
/** A bracket that contains a number and not a comment: `Passport (X1234567)`. */
const bracket = /^ ?[([](?=[^()[\]\n]{0,40}[\d@_])/;
/** Characters that may separate a label from the end of its cell. */
const cellEnd = new RegExp(`^${bracketedWithoutDigits}(?: (?:${verbs}))?[ .:?*_#)†¹²³–-]*$`);
/** A number in apposition may stand behind a comma: `your social security number, 2 61 05 …,`. */
const weakGap = /^(?:[ .-]{1,2}|, (?=[a-z]{0,4}-?\d)|(?=[#("'“„«]))/;
const maxDistance = 64;

/** Returns the position after a label at which its value may start. */
export function afterLabel(view: TextView, label: Label): AfterLabel {
  const lines = linesOf(view);
  const line = lineAt(lines, label.end - 1);
  const cells = lines[line]?.cells ?? [];
  const column = Math.max(
    0,
    cells.findIndex(({ end }) => end >= label.end),
  );
  const cell = cells[column] ?? { start: label.start, end: label.end };
  const position = { cell, line, column };
  // Further cells of the line are not separated.
  if (column >= maxCells) return { at: cell.end + 1, joint: 'word', ...position };
  const endOfGap = (form: RegExp): number => {
    const gap = textAt(view.lower, label.end, form);
    return gap === null ? -1 : Math.min(label.end + gap.length, cell.end);
  };
  for (const form of [colon, bracket]) {
    const at = endOfGap(form);
    if (at >= 0) return { at, joint: 'colon', ...position };
  }
  if (cellEnd.test(view.lower.slice(label.end, Math.min(cell.end, label.end + maxDistance)))) {
    return { at: cell.end, joint: 'cell', ...position };
  }
  // The sign for a number joins its label and the number: `Member #448-2201-7`.
  if (
    /[#№]$/.test(view.text.slice(label.start, label.end)) &&
    /\d/.test(view.text[label.end] ?? '')
  )
    return { at: label.end, joint: 'word', ...position };
  for (const form of [verb, weakGap]) {
    const at = endOfGap(form);
    const gap = view.text.slice(label.end, at);
    // The value starts with a capital.
    if (at >= 0 && gap === gap.toLowerCase()) return { at, joint: 'word', ...position };
  }
  return { at: cell.end + 1, joint: 'word', ...position };
}

/** Whether a label is at the start of a line, a cell or a part of a sentence. */
export function isAtStart({ text }: TextView, { start }: Label, cell: Range): boolean {
  return (
    start <= cell.start ||
    /(?:^|[.;,|•·([{*#>"'–—/:]|\d\)) ?[*_"]{0,2}$/.test(
      text.slice(Math.max(cell.start, start - 4), start),
    )
  );
}
