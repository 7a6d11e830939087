import { median } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';
import type { TableCandidate } from '../lattice/index.ts';
import type { TableRules } from '../rules/table-rules.ts';
import type { TablePage, TableWord } from '../types.ts';
import { isCaptioned, tableCaptions } from './captions.ts';
import { placePhrases, sizeOf } from './columns.ts';
import { evidenceOf, isAlignedTable, isMarker, isRuledTable, textOf } from './evidence.ts';
import { coverOf, findGutters, neighboursOf } from './gutters.ts';
import { type Line, lineOf, phrasesOf } from './lines.ts';
import { tableOf } from './regions.ts';
import { continuesCell, lineOfParts, type PagePhrase, runsOf } from './runs.ts';

/** The maximum distance of phrases that count as one, in font sizes. */
const maxPhraseGap = 0.8;

/** Whether a phrase is as long as a line of a paragraph. */
const isLong = (part: PagePhrase, width: number): boolean =>
  part.to - part.from >= 0.2 * width && part.letters >= 24;

/**
 * Marks the lines of paragraphs. They are long and aligned below each other, and either have no
 * short text beside them or are equally wide. Lines in table cells are not equally wide.
 */
function markProse(
  words: readonly TableWord[],
  rows: readonly PagePhrase[][],
  width: number,
): void {
  const chains = new Map<
    PagePhrase,
    { parts: PagePhrase[]; soleRowCount: number; pitch: number; phrasesInRow: number }
  >();
  for (const [at, row] of rows.entries()) {
    // The number of a clause is only on the first line of the clause.
    const text = row[0] && isMarker(textOf(row[0], words)) ? row.slice(1) : row;
    const soleCount = text.length > 0 && text.every((part) => isLong(part, width)) ? 1 : 0;
    for (const part of row) {
      if (!isLong(part, width)) continue;
      let above: PagePhrase | undefined;
      for (let before = Math.max(0, at - 3); before < at; before += 1) {
        for (const other of rows[before] ?? []) {
          const isNear = Math.abs(other.from - part.from) < 2.5 * part.line.size;
          if (
            isNear &&
            part.line.base - other.line.base < 2 * part.line.size &&
            chains.has(other)
          ) {
            above = other;
          }
        }
      }
      const chainAbove = above && chains.get(above);
      const pitch = above ? part.line.base - above.line.base : 0;
      // Lines of a paragraph are evenly spaced.
      const hasEvenPitch =
        chainAbove &&
        (chainAbove.pitch === 0 || Math.abs(pitch - chainAbove.pitch) < 0.15 * part.line.size);
      const chain =
        chainAbove && hasEvenPitch
          ? chainAbove
          : { parts: [], soleRowCount: 0, pitch: 0, phrasesInRow: row.length };
      if (chain.parts.length === 1) chain.pitch = pitch;
      chain.parts.push(part);
      chain.soleRowCount += soleCount;
      chains.set(part, chain);
    }
  }
  for (const { parts, soleRowCount, phrasesInRow } of new Set(chains.values())) {
    const widest = Math.max(...parts.map(({ from, to }) => to - from));
    const fullCount = parts.filter(({ from, to }) => to - from > 0.85 * widest).length;
    const isParagraph =
      // Text that begins beside several other texts is the text of a cell.
      (parts.length >= 3 && soleRowCount >= 0.7 * parts.length && phrasesInRow < 3) ||
      (parts.length >= 5 && fullCount >= 0.75 * parts.length);
    if (isParagraph) for (const part of parts) part.isProse = true;
  }
}

/**
 * The minimum width of the text after a counter for it to be a list item, as a share of the page
 * width.
 */
const minItemShare = 0.5;

/** Marks the first lines of list items: a counter or bullet and a long text, with no other text. */
function markItems(
  words: readonly TableWord[],
  rows: readonly PagePhrase[][],
  width: number,
): void {
  for (const row of rows) {
    const [counter, text] = row;
    if (!counter || !text || row.length > 2 || text.to - text.from < minItemShare * width) continue;
    if (isMarker(textOf(counter, words))) for (const part of row) part.isProse = true;
  }
}

/** A vertical line that separates columns of text between two heights. */
type Divider = { x: number; top: number; bottom: number };

/**
 * Returns the dividers between columns of prose. A divider is as long as its columns, because a
 * table may follow below them.
 */
function proseDividers(parts: readonly PagePhrase[]): Divider[] {
  const spans = parts.filter(({ isProse }) => isProse).sort((a, b) => a.from - b.from);
  const columns: { from: number; to: number; top: number; bottom: number }[] = [];
  for (const { from, to, line } of spans) {
    const last = columns.at(-1);
    if (last && from <= last.to) {
      last.to = Math.max(last.to, to);
      last.top = Math.min(last.top, line.top);
      last.bottom = Math.max(last.bottom, line.bottom);
    } else columns.push({ from, to, top: line.top, bottom: line.bottom });
  }
  return columns.slice(1).map((column, at) => {
    const before = columns[at] ?? column;
    return {
      x: (column.from + before.to) / 2,
      top: Math.min(before.top, column.top),
      bottom: Math.max(before.bottom, column.bottom),
    };
  });
}

/**
 * Returns the phrases of a row on one side of a divider, as a separate line, because the other side
 * may have another line.
 */
function onSeparateLine(
  words: readonly TableWord[],
  row: readonly PagePhrase[],
  side: readonly PagePhrase[],
): PagePhrase[] {
  if (side.length === row.length || side.length === 0) return [...side];
  const line = lineOf(
    words,
    side.flatMap((part) => part.words),
  );
  return side.map((part) => ({ ...part, line }));
}

/** Groups consecutive rows with the same dividers, and returns each side of each group. */
function sidesOf(
  words: readonly TableWord[],
  rows: readonly PagePhrase[][],
  dividers: readonly Divider[],
): PagePhrase[][][] {
  const sections: { key: string; edges: number[]; rows: PagePhrase[][] }[] = [];
  for (const row of rows) {
    const line = row[0]?.line;
    if (!line) continue;
    const dividersHere = dividers.filter(
      ({ top, bottom }) => line.bottom > top && line.top < bottom,
    );
    const edges = dividersHere.map(({ x }) => x).sort((a, b) => a - b);
    const key = edges.join(' ');
    const last = sections.at(-1);
    if (last?.key === key) last.rows.push(row);
    else sections.push({ key, edges, rows: [row] });
  }
  return sections.flatMap(({ edges, rows: all }) =>
    [...edges, Number.POSITIVE_INFINITY].map((right, at) => {
      const left = edges[at - 1] ?? Number.NEGATIVE_INFINITY;
      return all.map((row) =>
        onSeparateLine(
          words,
          row,
          row.filter(({ from, to }) => (from + to) / 2 > left && (from + to) / 2 < right),
        ),
      );
    }),
  );
}

/**
 * Returns the gutters of the whole page whose two sides do not share baselines. They separate
 * columns that are read one after the other, or two facing pages. The cells of a table row share a
 * baseline.
 */
function pageDividers(words: readonly TableWord[], lines: readonly Line[]): Divider[] {
  const size = sizeOf(lines);
  return findGutters(coverOf(words, lines), Math.floor(lines.length * 0.05), 1.5 * size).flatMap(
    ({ from, to }) => {
      const middle = (from + to) / 2;
      let leftCount = 0;
      let rightCount = 0;
      let levelCount = 0;
      for (const line of lines) {
        const [before, after] = neighboursOf(words, line, middle).map(
          (index) => words[index ?? -1],
        );
        if (before) leftCount += 1;
        if (after) rightCount += 1;
        if (before && after && Math.abs(before.base - after.base) < 0.4) levelCount += 1;
      }
      const minCount = Math.min(leftCount, rightCount);
      const divides = minCount >= 6 && levelCount < 0.4 * minCount;
      const wholePage = { top: Number.NEGATIVE_INFINITY, bottom: Number.POSITIVE_INFINITY };
      return divides ? [{ x: middle, ...wholePage }] : [];
    },
  );
}

/**
 * Returns the lines without incomplete ones at both ends, unless these continue a cell of a full
 * line.
 */
function trimLines(
  words: readonly TableWord[],
  lines: readonly Line[],
  isFull: (line: Line) => boolean,
): readonly Line[] {
  let first = lines.findIndex(isFull);
  let last = lines.findLastIndex(isFull);
  if (first < 0) return [];
  const bases = lines.filter(isFull).map(({ base }) => base);
  const pitch = median(bases.slice(1).map((base, at) => base - (bases[at] ?? 0)));
  const startOf = (index: number | undefined): number => words[index ?? -1]?.box[0] ?? 0;
  const end = lines[last];
  const starts = end ? phrasesOf(words, end, maxPhraseGap * end.size).map(({ from }) => from) : [];
  for (let above = lines[first - 1]; above; above = lines[first - 1]) {
    if (above.bottom <= (lines[first]?.top ?? 0)) break;
    first -= 1;
  }
  for (let below = lines[last + 1]; below; below = lines[last + 1]) {
    const line = lines[last];
    const next = { line: below, from: startOf(below.words[0]) };
    if (!line || !continuesCell({ line, starts }, next, pitch)) break;
    last += 1;
  }
  return lines.slice(first, last + 1);
}

/** Finds tables whose only evidence is the alignment of their text. */
export function alignedTables(
  page: TablePage,
  rules: TableRules,
  lines: readonly Line[],
): TableCandidate[] {
  const { words, running } = page;
  const isRunning = (index: number): boolean => {
    const box = words[index]?.box;
    return box !== undefined && running?.has(box) === true;
  };
  const rows = lines.map((line) =>
    phrasesOf(words, line, maxPhraseGap * line.size).map((phrase): PagePhrase => {
      const letters = phrase.words.reduce(
        (sum, index) => sum + (words[index]?.text.length ?? 0),
        phrase.words.length - 1,
      );
      const isProse = running !== undefined && phrase.words.every(isRunning);
      return { ...phrase, line, isProse, letters };
    }),
  );
  // A table has at least three lines of several phrases.
  if (rows.filter((row) => row.length > 1).length < 3) return [];
  markProse(words, rows, page.widthPt);
  markItems(words, rows, page.widthPt);
  const dividers = [...proseDividers(rows.flat()), ...pageDividers(words, lines)];
  const captions = tableCaptions(words, lines);
  const found: TableCandidate[] = [];
  for (const side of sidesOf(words, rows, dividers)) {
    for (const run of runsOf(words, side)) {
      const table = tableOfRun(words, rules, run, captions);
      if (table) found.push(table);
    }
  }
  return found;
}

function tableOfRun(
  words: readonly TableWord[],
  rules: TableRules,
  run: readonly PagePhrase[][],
  captions: readonly Box[],
): TableCandidate | undefined {
  const all = run.flatMap((row) => lineOfParts(row) ?? []);
  let lines: readonly Line[] = trimLines(
    words,
    all,
    (line) => phrasesOf(words, line, maxPhraseGap * line.size).length > 1,
  );
  for (let round = 0; round < 3 && lines.length >= 3; round += 1) {
    const from = Math.min(...lines.map(({ words: [first = 0] }) => words[first]?.box[0] ?? 0));
    const to = Math.max(...lines.map((line) => words[line.words.at(-1) ?? 0]?.box[2] ?? 0));
    const top = lines[0]?.top ?? 0;
    const bottom = lines.at(-1)?.bottom ?? 0;
    const crossing = rules.across.filter(
      (rule) => rule.at > top && rule.at < bottom && rule.from > from - 60 && rule.to < to + 60,
    );
    const isLong = ({ from: a, to: b }: { from: number; to: number }): boolean =>
      Math.min(b, to) - Math.max(a, from) > 0.85 * (to - from);
    const table = tableOf(words, {
      lines,
      rules: crossing.filter(isLong).map(({ at }) => at),
      shortRules: crossing.filter((rule) => !isLong(rule)),
      from,
      to,
      shadedRows: rules.shadedRows,
    });
    if (!table) return undefined;
    // Drops lines before and after the table that do not share its columns.
    const sharesColumns = (line: Line): boolean => {
      const placed = placePhrases(words, line, table.columns);
      const usedColumns = new Set(placed.map(({ first }) => first)).size;
      return usedColumns >= 2 || placed.some(({ first, last }) => last > first);
    };
    const kept = lines.some(sharesColumns) ? trimLines(words, lines, sharesColumns) : [];
    if (kept.length < lines.length) {
      lines = kept;
      continue;
    }
    const evidence = evidenceOf(table.draft, words, sizeOf(lines));
    const region: Box = [from, top, to, bottom];
    const hasCaption = isCaptioned(captions, region, sizeOf(lines));
    const isRuled =
      (table.draft.foundBy === 'rules' && evidence.rows >= 3 && evidence.alignedShare >= 0.5) ||
      hasCaption;
    const isKnownTable = isRuled && !evidence.hasLabels && isRuledTable(evidence);
    if (!isKnownTable && !isAlignedTable(evidence)) return undefined;
    return { region, draft: table.draft };
  }
  return undefined;
}
