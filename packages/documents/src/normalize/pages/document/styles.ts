import { type Draft, isText, type TextBlock } from './draft.ts';
import type { Body } from './headings.ts';
import { follows, numberOf, type PartNumber } from './numbering.ts';
import { isItalic, styleOf } from './series.ts';
import { isUpper } from './split.ts';

type TextDraft = Draft & { block: TextBlock };

/** Comparisons of a line with all short lines of the document. */
export type Styles = {
  /** Returns the number of consecutive blocks with the same style and without numbers. */
  runOf: (draft: TextDraft) => number;
  /**
   * Whether the number belongs to a series, and text follows most lines with this style and
   * numbering.
   */
  isNumberedPart: (draft: TextDraft) => boolean;
  /** Whether the line is centred, or in a style that the body text does not have. */
  isSetApart: (draft: TextDraft) => boolean;
};

/** The maximum length of a line of a numbered series. */
const longest = 120;
const maxLines = 3;

/** Whether a block is in the middle of its column, with space on both sides. */
function isCentred({ block, size }: TextDraft): boolean {
  const [left, right] = block.column;
  const [x0, , x1] = block.box;
  return x0 - left > 1.5 * size && Math.abs(x0 - left - (right - x1)) < 1.5 * size;
}

type Numbered = { draft: TextDraft; number: PartNumber; next: Draft | undefined };

/** Whether the numbers of lines in one style increase, and text follows most of the lines. */
function isRow(row: readonly Numbered[], style: string, body: Body): boolean {
  const [first] = row;
  if (!first) return false;
  const inOrder = row.filter(({ number }, at) => follows(row[at - 1]?.number, number)).length;
  const over = row.filter(({ next }) => {
    if (!next || !isText(next)) return next !== undefined;
    return styleOf(next) !== style || (numberOf(next.text) === undefined && next.text.length > 150);
  }).length;
  const { draft } = first;
  const bodyLike = Math.abs(draft.size - body.size) < 0.06 * body.size && draft.bold === body.bold;
  const apart = !bodyLike || isItalic(draft) || isUpper(draft.text);
  const centred = row.filter((one) => isCentred(one.draft)).length > 0.6 * row.length;
  const deep = first.number.path.length > 1;
  if (!apart && !centred && !deep) return false;
  const min = deep || centred ? 1 : 2;
  return row.length >= min && inOrder >= 0.6 * row.length && over >= 0.7 * row.length;
}

/** Collects the styles of a document's blocks. `flow` excludes running headers and footers. */
export function stylesOf(flow: readonly Draft[], body: Body): Styles {
  const runs = new Map<Draft, number>();
  const rows = new Map<string, Numbered[]>();
  const keys = new Map<Draft, string>();
  let run: TextDraft[] = [];
  const close = (): void => {
    for (const draft of run) runs.set(draft, run.length);
    run = [];
  };
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.entry) {
      close();
      continue;
    }
    const style = styleOf(draft);
    const number = numberOf(draft.text);
    const [before] = run;
    if (number || (before && (styleOf(before) !== style || before.page !== draft.page))) close();
    if (number) {
      const { block, text } = draft;
      if (text.length > longest || block.lines.length > maxLines) continue;
      const key = `${style}|${number.form}|${number.path.length}`;
      keys.set(draft, key);
      const row = rows.get(key);
      const one = { draft, number, next: flow[at + 1] };
      if (row) row.push(one);
      else rows.set(key, [one]);
    } else run.push(draft);
  }
  close();
  const parts = new Set(
    [...rows].flatMap(([key, row]) => {
      const style = row[0] ? styleOf(row[0].draft) : '';
      return isRow(row, style, body) ? [key] : [];
    }),
  );
  return {
    runOf: (draft) => runs.get(draft) ?? 0,
    isNumberedPart: (draft) => {
      const key = keys.get(draft);
      return key !== undefined && parts.has(key);
    },
    isSetApart: (draft) => isItalic(draft) || isCentred(draft),
  };
}
