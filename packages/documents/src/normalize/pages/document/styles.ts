import { type BlockDraft, isText, type TextBlock } from './block-draft.ts';
import { isItalic, styleOf } from './heading-evidence.ts';
import type { BodyStyle } from './headings.ts';
import { follows, numberOf, type PartNumber } from './numbering.ts';
import { isUpper } from './split.ts';

type TextDraft = BlockDraft & { block: TextBlock };

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
const maxLength = 120;
const maxLines = 3;

/** Whether a block is in the middle of its column, with space on both sides. */
function isCentred({ block, size }: TextDraft): boolean {
  const [left, right] = block.column;
  const [x0, , x1] = block.box;
  return x0 - left > 1.5 * size && Math.abs(x0 - left - (right - x1)) < 1.5 * size;
}

type NumberedLine = { draft: TextDraft; number: PartNumber; next: BlockDraft | undefined };

/** Whether the numbers of lines in one style increase, and text follows most of the lines. */
function isNumberedSeries(lines: readonly NumberedLine[], style: string, body: BodyStyle): boolean {
  const [first] = lines;
  if (!first) return false;
  const inOrder = lines.filter(({ number }, at) => follows(lines[at - 1]?.number, number)).length;
  const aboveText = lines.filter(({ next }) => {
    if (!next || !isText(next)) return next !== undefined;
    return styleOf(next) !== style || (numberOf(next.text) === undefined && next.text.length > 150);
  }).length;
  const { draft } = first;
  const isBodyLike =
    Math.abs(draft.size - body.size) < 0.06 * body.size && draft.bold === body.bold;
  const isDistinct = !isBodyLike || isItalic(draft) || isUpper(draft.text);
  const isMostlyCentred = lines.filter((one) => isCentred(one.draft)).length > 0.6 * lines.length;
  const isNested = first.number.path.length > 1;
  if (!isDistinct && !isMostlyCentred && !isNested) return false;
  const min = isNested || isMostlyCentred ? 1 : 2;
  return lines.length >= min && inOrder >= 0.6 * lines.length && aboveText >= 0.7 * lines.length;
}

/** Collects the styles of a document's blocks. `flow` excludes running headers and footers. */
export function stylesOf(flow: readonly BlockDraft[], body: BodyStyle): Styles {
  const runs = new Map<BlockDraft, number>();
  const rows = new Map<string, NumberedLine[]>();
  const keys = new Map<BlockDraft, string>();
  let run: TextDraft[] = [];
  const closeRun = (): void => {
    for (const draft of run) runs.set(draft, run.length);
    run = [];
  };
  for (const [at, draft] of flow.entries()) {
    if (!isText(draft) || draft.isEntry) {
      closeRun();
      continue;
    }
    const style = styleOf(draft);
    const number = numberOf(draft.text);
    const [first] = run;
    if (number || (first && (styleOf(first) !== style || first.page !== draft.page))) closeRun();
    if (number) {
      const { block, text } = draft;
      if (text.length > maxLength || block.lines.length > maxLines) continue;
      const key = `${style}|${number.form}|${number.path.length}`;
      keys.set(draft, key);
      const row = rows.get(key);
      const line = { draft, number, next: flow[at + 1] };
      if (row) row.push(line);
      else rows.set(key, [line]);
    } else run.push(draft);
  }
  closeRun();
  const numberedKeys = new Set(
    [...rows].flatMap(([key, row]) => {
      const style = row[0] ? styleOf(row[0].draft) : '';
      return isNumberedSeries(row, style, body) ? [key] : [];
    }),
  );
  return {
    runOf: (draft) => runs.get(draft) ?? 0,
    isNumberedPart: (draft) => {
      const key = keys.get(draft);
      return key !== undefined && numberedKeys.has(key);
    },
    isSetApart: (draft) => isItalic(draft) || isCentred(draft),
  };
}
