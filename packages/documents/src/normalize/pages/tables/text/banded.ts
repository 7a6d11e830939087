import { median } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';
import type { TableCandidate } from '../lattice/index.ts';
import type { TableRules } from '../rules/table-rules.ts';
import type { Rule, TableWord } from '../types.ts';
import { captionStart } from './captions.ts';
import { type Column, placePhrases, sizeOf } from './columns.ts';
import { evidenceOf, isRuledTable } from './evidence.ts';
import { type Line, phrasesOf, tableLines } from './lines.ts';
import { tableOf } from './regions.ts';

/** The maximum distance between the ends of the rules of one table, in points. */
const maxEndDistance = 6;
const minLength = 50;
const maxRules = 800;
/** Groups the rules and edges of shaded rows that start and end at the same positions. */
function groupAligned(rules: readonly Rule[]): Rule[][] {
  const sorted = [...rules].sort((a, b) => a.at - b.at).slice(0, maxRules);
  const groups: Rule[][] = [];
  for (const rule of sorted) {
    const group = groups.find(([first]) => {
      return (
        first !== undefined &&
        Math.abs(first.from - rule.from) < maxEndDistance &&
        Math.abs(first.to - rule.to) < maxEndDistance
      );
    });
    if (group) group.push(rule);
    else groups.push([rule]);
  }
  return groups.filter((group) => group.length > 1);
}

type Kind = 'table' | 'row' | 'other';

/** The minimum ratio of the letter size of a heading to that of a table. */
const minHeadingRatio = 1.12;
/** The minimum additional distance between a heading and the rule above it, in font sizes. */
const minExtraSpace = 0.8;

/**
 * The lines between two rules, the space above the first line, and whether text crosses the ends of
 * the rules.
 */
type Gap = { lines: Line[]; height: number; spaceAbove: number; isCrossed: boolean };

/** The minimum distance by which crossing text extends beyond the ends of the rules, in points. */
const minOverhang = 10;

/**
 * Whether a heading is between two rules: a line of a single phrase that has larger letters, or
 * that is first and set apart from the rule above. A heading ends a table even if the next table
 * has the same rules.
 */
function hasHeading(
  words: readonly TableWord[],
  { lines, spaceAbove }: Gap,
  typical: { size: number; spaceAbove: number },
): boolean {
  return lines.some((line, at) => {
    if (phrasesOf(words, line, 1.5 * line.size).length > 1) return false;
    if (line.size > minHeadingRatio * typical.size) return true;
    return at === 0 && spaceAbove - typical.spaceAbove > minExtraSpace * typical.size;
  });
}

/**
 * Returns the kind of content between two rules: rows of a table, a line that may be a row, or
 * other content.
 */
function kindOf(words: readonly TableWord[], lines: readonly Line[], height: number): Kind {
  const size = sizeOf(lines);
  if (lines.length === 0) return height < 14 ? 'row' : 'other';
  const phrases = lines.map((line) => phrasesOf(words, line, 0.8 * size));
  const multiPhraseCount = phrases.filter((own) => own.length > 1).length;
  const first = lines[0]?.words.map((index) => words[index]?.text ?? '').join(' ') ?? '';
  if (captionStart.test(first)) return 'other';
  if (multiPhraseCount >= 0.5 * lines.length) return 'table';
  // A row of two texts may also be a numbered clause.
  const isRow = (phrases[0]?.length ?? 0) > 2;
  if (isRow || (multiPhraseCount >= 2 && multiPhraseCount >= 0.2 * lines.length)) {
    // Lines that continue a cell begin where a cell begins in a line of several cells.
    const multi = phrases.filter((own) => own.length > 1);
    const starts = multi.flatMap((own) => (isRow ? own : own.slice(1)).map(({ from }) => from));
    const cellStarts = new Set(starts.map((x) => Math.round(x)));
    const continuingCount = phrases.filter(([first, ...more]) => {
      const x = Math.round(first?.from ?? 0);
      return more.length === 0 && [x - 1, x, x + 1].some((at) => cellStarts.has(at));
    }).length;
    if (multiPhraseCount + continuingCount >= 0.8 * lines.length) return 'table';
  }
  if (lines.length === 1 && height < 3.2 * size) return 'row';
  return lines.length <= 3 && multiPhraseCount > 0 ? 'table' : 'other';
}

type Run = { from: number; to: number; rules: Rule[] };

/** Returns the stretches of rules with rows of a table between them. */
function tableRuns(
  words: readonly TableWord[],
  group: readonly Rule[],
  within: (box: Box) => number[],
): Run[] {
  const first = group[0];
  if (!first) return [];
  const from = Math.min(...group.map((rule) => rule.from));
  const to = Math.max(...group.map((rule) => rule.to));
  const rules: Rule[] = [];
  for (const rule of group) if (rule.at - (rules.at(-1)?.at ?? -9) > 2.5) rules.push(rule);
  const gaps = rules.slice(1).map((rule, at): Gap => {
    const top = rules[at]?.at ?? rule.at;
    const lines = tableLines(words, within([from - 2, top, to + 2, rule.at]));
    const wordsAround = within([from - 4 * minOverhang, top, to + 4 * minOverhang, rule.at]);
    const count = lines.reduce((sum, line) => sum + line.words.length, 0);
    // Lines of a paragraph extend beyond the ends of rules. Lines of a table do not.
    const isCrossed =
      wordsAround.length > count &&
      tableLines(words, wordsAround).some((line) =>
        phrasesOf(words, line, 0.6 * line.size).some(
          (phrase) =>
            (phrase.from < from - minOverhang && phrase.to > from + minOverhang) ||
            (phrase.to > to + minOverhang && phrase.from < to - minOverhang),
        ),
      );
    return {
      lines,
      height: rule.at - top,
      spaceAbove: (lines[0]?.top ?? top) - top,
      isCrossed,
    };
  });
  const filledGaps = gaps.filter(({ lines }) => lines.length > 0);
  const typical = {
    size: median(filledGaps.map(({ lines }) => sizeOf(lines))),
    spaceAbove: median(filledGaps.map(({ spaceAbove }) => spaceAbove)),
  };
  const kinds = gaps.map((gap): Kind => {
    const kind = kindOf(words, gap.lines, gap.height);
    return kind !== 'other' && (gap.isCrossed || hasHeading(words, gap, typical)) ? 'other' : kind;
  });
  const runs: Run[] = [];
  for (let at = 0; at < kinds.length; at += 1) {
    if (kinds[at] === 'other') continue;
    let end = at;
    while (end + 1 < kinds.length && kinds[end + 1] !== 'other') end += 1;
    const isTable = kinds.slice(at, end + 1).includes('table');
    // A single shaded row, or the text between two rules, is at most the head of a table.
    if (isTable && end > at) runs.push({ from, to, rules: rules.slice(at, end + 2) });
    at = end;
  }
  return runs;
}

/**
 * Returns the lines next to a table, nearest first, that continue its columns beyond its outer
 * rule.
 */
function continuingLines(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
  edge: Line,
  { most, apart, above }: { most: number; apart: number; above: boolean },
): Line[] {
  const continuing: Line[] = [];
  const usedColumns = new Set<number>();
  let keptCount = 0;
  let last = edge;
  for (const line of lines.slice(0, most)) {
    const gap = Math.max(line.top - last.bottom, last.top - line.bottom);
    if (gap > apart || Math.abs(line.size - edge.size) > 0.15 * edge.size) break;
    const placed = placePhrases(words, line, columns);
    const isSpanningLabel =
      placed.length === 1 && placed[0]?.first === 0 && (placed[0]?.last ?? 0) > 0;
    if (isSpanningLabel || placed.some((one) => one.last - one.first >= 2)) break;
    for (const one of placed) usedColumns.add(one.first);
    continuing.push(line);
    const hasSpan = placed.some((one) => one.last > one.first && one.first > 0);
    // A head over several columns may be alone in its row, but it is not centred like a title.
    const [only] = placed;
    const left = columns[0]?.from ?? 0;
    const right = columns.at(-1)?.to ?? left;
    const offset = only ? Math.abs((only.from + only.to) / 2 - (left + right) / 2) : 0;
    const isHead = columns.length > 3 && (only?.first ?? 0) > 0 && offset > 0.04 * (right - left);
    const isRow = (placed.length > 1 || hasSpan) && usedColumns.size >= 0.5 * columns.length;
    if (isRow || (above && isHead && placed.length === 1)) keptCount = continuing.length;
    last = line;
  }
  return continuing.slice(0, keptCount);
}

/** Finds tables with horizontal lines or shaded rows but without vertical lines. */
export function bandedTables(
  words: readonly TableWord[],
  rules: TableRules,
  within: (box: Box) => number[],
): TableCandidate[] {
  const edges = rules.shadedRows.flatMap(([x0, y0, x1, y1]) => [
    { from: x0, to: x1, at: y0, thickness: 0 },
    { from: x0, to: x1, at: y1, thickness: 0 },
  ]);
  const longRules = [...rules.across, ...edges].filter(({ from, to }) => to - from >= minLength);
  const found: TableCandidate[] = [];
  const runs = groupAligned(longRules).flatMap((group) => tableRuns(words, group, within));
  // Larger tables come first, because the rules under some heads are within those of the whole
  // table.
  runs.sort((a, b) => areaOf(b) - areaOf(a));
  for (const { from, to, rules: runRules } of runs) {
    const top = runRules[0]?.at ?? 0;
    const bottom = runRules.at(-1)?.at ?? 0;
    if (found.some(({ region }) => overlaps(region, [from, top, to, bottom]))) continue;
    const insideLines = tableLines(words, within([from - 2, top, to + 2, bottom]));
    const shortRules = rules.across.filter(
      (rule) =>
        rule.at > top + 2 &&
        rule.at < bottom - 2 &&
        rule.from > from - 3 &&
        rule.to < to + 3 &&
        rule.to - rule.from < 0.9 * (to - from),
    );
    const base = { shortRules, from, to, shadedRows: rules.shadedRows };
    const region = { ...base, lines: insideLines, rules: runRules.map(({ at }) => at) };
    const table = tableOf(words, region);
    if (!table) continue;
    const [first, last] = [insideLines[0], insideLines.at(-1)];
    if (!first || !last) continue;
    const searchHeight = 12 * sizeOf(insideLines);
    const above = tableLines(words, within([from - 2, top - searchHeight, to + 2, top])).reverse();
    const below = tableLines(words, within([from - 2, bottom, to + 2, bottom + 6 * searchHeight]));
    const gaps = insideLines.slice(1).map((line, at) => line.top - (insideLines[at]?.bottom ?? 0));
    const size = sizeOf(insideLines);
    const maxGap = Math.min(1.6 * size, Math.max(0.7 * size, 1.15 * Math.max(0, ...gaps)));
    const linesBefore = continuingLines(words, above, table.columns, first, {
      most: 6,
      apart: maxGap,
      above: true,
    }).reverse();
    // Shading marks every other row. Rules often separate all rows except the last.
    const isShaded = runRules.some(({ thickness }) => thickness === 0);
    const maxLines = isShaded ? 200 : runRules.length > 4 ? 4 : 0;
    const linesAfter = continuingLines(words, below, table.columns, last, {
      most: maxLines,
      apart: maxGap,
      above: false,
    });
    const extended =
      linesBefore.length + linesAfter.length > 0
        ? tableOf(words, { ...region, lines: [...linesBefore, ...insideLines, ...linesAfter] })
        : table;
    if (!extended) continue;
    const evidence = evidenceOf(extended.draft, words, sizeOf(insideLines));
    if (!isRuledTable(evidence)) continue;
    // Shaded rows alone may belong to the footer of a slide.
    if (evidence.rows < 3 && runRules.every(({ thickness }) => thickness === 0)) continue;
    const { xs, ys } = extended.draft;
    const y0 = Math.min(top, ys[0] ?? top);
    const y1 = Math.max(bottom, ys.at(-1) ?? bottom);
    found.push({ region: [xs[0] ?? from, y0, xs.at(-1) ?? to, y1], draft: extended.draft });
  }
  return found;
}

const areaOf = ({ from, to, rules }: Run): number =>
  (to - from) * ((rules.at(-1)?.at ?? 0) - (rules[0]?.at ?? 0));

/** Whether two boxes overlap. */
export function overlaps(a: Box, b: Box): boolean {
  return (
    Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 2 &&
    Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 2
  );
}
