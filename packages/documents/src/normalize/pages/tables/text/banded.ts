import { median } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';
import type { Found } from '../lattice/index.ts';
import type { TidyRules } from '../rules/tidy.ts';
import type { Rule, TableWord } from '../types.ts';
import { caption } from './captions.ts';
import { type Column, place, sizeOf } from './columns.ts';
import { evidenceOf, isRuledTable } from './evidence.ts';
import { type Line, phrasesOf, tableLines } from './lines.ts';
import { tableOf } from './regions.ts';

/** The maximum distance between the ends of the rules of one table, in points. */
const sameEnd = 6;
const shortest = 50;
const maxRules = 800;
/** Groups the rules and edges of shaded rows that start and end at the same positions. */
function alike(rules: readonly Rule[]): Rule[][] {
  const sorted = [...rules].sort((a, b) => a.at - b.at).slice(0, maxRules);
  const groups: Rule[][] = [];
  for (const rule of sorted) {
    const group = groups.find(([first]) => {
      return (
        first !== undefined &&
        Math.abs(first.from - rule.from) < sameEnd &&
        Math.abs(first.to - rule.to) < sameEnd
      );
    });
    if (group) group.push(rule);
    else groups.push([rule]);
  }
  return groups.filter((group) => group.length > 1);
}

type Kind = 'table' | 'row' | 'other';

/** The minimum ratio of the letter size of a heading to that of a table. */
const larger = 1.12;
/** The minimum additional distance between a heading and the rule above it, in font sizes. */
const fartherUp = 0.8;

/**
 * The lines between two rules, the space above the first line, and whether text crosses the ends of
 * the rules.
 */
type Gap = { lines: Line[]; height: number; above: number; crossed: boolean };

/** The minimum distance by which crossing text extends beyond the ends of the rules, in points. */
const beyond = 10;

/**
 * Whether a heading is between two rules: a line of a single phrase that has larger letters, or
 * that is first and set apart from the rule above. A heading ends a table even if the next table
 * has the same rules.
 */
function hasHeading(
  words: readonly TableWord[],
  { lines, above }: Gap,
  usual: { size: number; above: number },
): boolean {
  return lines.some((line, at) => {
    if (phrasesOf(words, line, 1.5 * line.size).length > 1) return false;
    if (line.size > larger * usual.size) return true;
    return at === 0 && above - usual.above > fartherUp * usual.size;
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
  const parted = phrases.filter((own) => own.length > 1).length;
  const first = lines[0]?.words.map((index) => words[index]?.text ?? '').join(' ') ?? '';
  if (caption.test(first)) return 'other';
  if (parted >= 0.5 * lines.length) return 'table';
  if (parted >= 2 && parted >= 0.2 * lines.length) {
    // Lines that continue a cell begin where a cell begins in a line of several cells.
    const starts = phrases.flatMap((own) => own.slice(1).map(({ from }) => from));
    const places = new Set(starts.map((x) => Math.round(x)));
    const goes = phrases.filter(([first, ...more]) => {
      const x = Math.round(first?.from ?? 0);
      return more.length === 0 && [x - 1, x, x + 1].some((at) => places.has(at));
    }).length;
    if (parted + goes >= 0.8 * lines.length) return 'table';
  }
  if (lines.length === 1 && height < 3.2 * size) return 'row';
  return lines.length <= 3 && parted > 0 ? 'table' : 'other';
}

type Run = { from: number; to: number; rules: Rule[] };

/** Returns the stretches of rules with rows of a table between them. */
function runsOf(
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
    const around = within([from - 4 * beyond, top, to + 4 * beyond, rule.at]);
    const count = lines.reduce((sum, line) => sum + line.words.length, 0);
    // Lines of a paragraph extend beyond the ends of rules. Lines of a table do not.
    const crossed =
      around.length > count &&
      tableLines(words, around).some((line) =>
        phrasesOf(words, line, 0.6 * line.size).some(
          (phrase) =>
            (phrase.from < from - beyond && phrase.to > from + beyond) ||
            (phrase.to > to + beyond && phrase.from < to - beyond),
        ),
      );
    return { lines, height: rule.at - top, above: (lines[0]?.top ?? top) - top, crossed };
  });
  const filled = gaps.filter(({ lines }) => lines.length > 0);
  const usual = {
    size: median(filled.map(({ lines }) => sizeOf(lines))),
    above: median(filled.map(({ above }) => above)),
  };
  const kinds = gaps.map((gap): Kind => {
    const kind = kindOf(words, gap.lines, gap.height);
    return kind !== 'other' && (gap.crossed || hasHeading(words, gap, usual)) ? 'other' : kind;
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
function goOn(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
  edge: Line,
  { most, apart, above }: { most: number; apart: number; above: boolean },
): Line[] {
  const more: Line[] = [];
  const used = new Set<number>();
  let kept = 0;
  let last = edge;
  for (const line of lines.slice(0, most)) {
    const blank = Math.max(line.top - last.bottom, last.top - line.bottom);
    if (blank > apart || Math.abs(line.size - edge.size) > 0.15 * edge.size) break;
    const placed = place(words, line, columns);
    const whole = placed.length === 1 && placed[0]?.first === 0 && (placed[0]?.last ?? 0) > 0;
    if (whole || placed.some((one) => one.last - one.first >= 2)) break;
    for (const one of placed) used.add(one.first);
    more.push(line);
    const spans = placed.some((one) => one.last > one.first && one.first > 0);
    // A head over several columns may be alone in its row, but it is not centred like a title.
    const [only] = placed;
    const left = columns[0]?.from ?? 0;
    const right = columns.at(-1)?.to ?? left;
    const off = only ? Math.abs((only.from + only.to) / 2 - (left + right) / 2) : 0;
    const isHead = columns.length > 3 && (only?.first ?? 0) > 0 && off > 0.04 * (right - left);
    const enough = (placed.length > 1 || spans) && used.size >= 0.5 * columns.length;
    if (enough || (above && isHead && placed.length === 1)) kept = more.length;
    last = line;
  }
  return more.slice(0, kept);
}

/** Finds tables with horizontal lines or shaded rows but without vertical lines. */
export function bandedTables(
  words: readonly TableWord[],
  rules: TidyRules,
  within: (box: Box) => number[],
): Found[] {
  const edges = rules.bands.flatMap(([x0, y0, x1, y1]) => [
    { from: x0, to: x1, at: y0, thickness: 0 },
    { from: x0, to: x1, at: y1, thickness: 0 },
  ]);
  const long = [...rules.across, ...edges].filter(({ from, to }) => to - from >= shortest);
  const found: Found[] = [];
  const runs = alike(long).flatMap((group) => runsOf(words, group, within));
  // Larger tables come first, because the rules under some heads are within those of the whole
  // table.
  runs.sort((a, b) => areaOf(b) - areaOf(a));
  for (const { from, to, rules: own } of runs) {
    const top = own[0]?.at ?? 0;
    const bottom = own.at(-1)?.at ?? 0;
    if (found.some(({ region }) => overlaps(region, [from, top, to, bottom]))) continue;
    const inside = tableLines(words, within([from - 2, top, to + 2, bottom]));
    const short = rules.across.filter(
      (rule) =>
        rule.at > top + 2 &&
        rule.at < bottom - 2 &&
        rule.from > from - 3 &&
        rule.to < to + 3 &&
        rule.to - rule.from < 0.9 * (to - from),
    );
    const base = { short, from, to, bands: rules.bands };
    const region = { ...base, lines: inside, rules: own.map(({ at }) => at) };
    const table = tableOf(words, region);
    if (!table) continue;
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last) continue;
    const room = 12 * sizeOf(inside);
    const above = tableLines(words, within([from - 2, top - room, to + 2, top])).reverse();
    const below = tableLines(words, within([from - 2, bottom, to + 2, bottom + 6 * room]));
    const blanks = inside.slice(1).map((line, at) => line.top - (inside[at]?.bottom ?? 0));
    const size = sizeOf(inside);
    const apart = Math.min(1.6 * size, Math.max(0.7 * size, 1.15 * Math.max(0, ...blanks)));
    const before = goOn(words, above, table.columns, first, {
      most: 6,
      apart,
      above: true,
    }).reverse();
    // Shading marks every other row. Rules often separate all rows except the last.
    const shaded = own.some(({ thickness }) => thickness === 0);
    const most = shaded ? 200 : own.length > 4 ? 4 : 0;
    const after = goOn(words, below, table.columns, last, { most, apart, above: false });
    const whole =
      before.length + after.length > 0
        ? tableOf(words, { ...region, lines: [...before, ...inside, ...after] })
        : table;
    if (!whole) continue;
    const evidence = evidenceOf(whole.draft, words, sizeOf(inside));
    if (!isRuledTable(evidence)) continue;
    // Shaded rows alone may belong to the footer of a slide.
    if (evidence.rows < 3 && own.every(({ thickness }) => thickness === 0)) continue;
    const { xs, ys } = whole.draft;
    const y0 = Math.min(top, ys[0] ?? top);
    const y1 = Math.max(bottom, ys.at(-1) ?? bottom);
    found.push({ region: [xs[0] ?? from, y0, xs.at(-1) ?? to, y1], draft: whole.draft });
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
