import type { Box } from '../../results.ts';
import type { DocBlock } from '../document.ts';
import { separatorBetween } from './blocks.ts';
import { countTextTokens } from './tokens.ts';
import { type Unit, unitsOf } from './units.ts';

/** A line of the JSONL of chunks: a part of the document that can be read without the others. */
export type Chunk = {
  /** The index of the chunk, from 0. */
  index: number;
  /**
   * Markdown: the headings above the chunk, the overlap with the previous chunk, and the new text.
   */
  text: string;
  /** The number of tokens of `text`, in the encoding of the `encoding` field. */
  tokens: number;
  /** The number of tokens before the new text that repeat the end of the previous chunk. */
  overlap_tokens: number;
  /** The headings above the new text, from the outermost. */
  headings: string[];
  /** The first and the last page. */
  pages: [number, number];
  /**
   * The positions of the new text, with one box per block. Rows of a table share a box. Empty for
   * sources without positions.
   */
  boxes: { page: number; box: Box }[];
};

type Heading = { level: number; title: string; line: string };

/**
 * Splits a document into chunks of at most `chunkTokens`. A chunk that is half full ends at the
 * next heading. Otherwise, chunks end between blocks, sentences, rows or lines. A sentence, row or
 * line is split only if it is longer than a chunk.
 */
export function* chunksOf(
  blocks: readonly DocBlock[],
  { chunkTokens, overlapTokens }: { chunkTokens: number; overlapTokens: number },
): Generator<Chunk> {
  const max = Math.max(1, chunkTokens - 4);
  const maxOverlap = Math.min(overlapTokens, Math.floor(chunkTokens / 2));
  const path: Heading[] = [];
  let index = 0;
  let draft = createDraft([], [], chunkTokens);
  const close = function* (next: Unit | null): Generator<Chunk> {
    // A heading stays with the text below it.
    const movedHeadings = next === null ? [] : draft.takeHeadings();
    if (draft.own.length > 0) {
      for (const chunk of draft.finish()) {
        yield { index, ...chunk };
        index += 1;
      }
    }
    const previous = draft;
    for (const unit of draft.own) updatePath(path, unit);
    const firstUnit = movedHeadings[0] ?? next;
    const overlap =
      firstUnit === null || firstUnit.block.role === 'heading' ? [] : previous.tail(maxOverlap);
    draft = createDraft(path, overlap, chunkTokens);
    for (const unit of movedHeadings) draft.add(unit);
  };
  for (const unit of unitsOf(blocks, max)) {
    const isNewPart = unit.block.role === 'heading' && unit.isFirst;
    const isHalfFull = draft.tokens() >= chunkTokens / 2 && !draft.endsWithHeading();
    // A block of at most half a chunk is not split to fill the current chunk.
    const isBetterWhole =
      unit.isFirst &&
      unit.blockTokens <= chunkTokens / 2 &&
      draft.tokens() + unit.blockTokens > chunkTokens;
    if (
      draft.own.length > 0 &&
      ((isHalfFull && (isNewPart || isBetterWhole)) || !draft.fits(unit))
    ) {
      yield* close(unit);
      // The draft contains only headings, and the text below is too long to join them.
      if (draft.own.length > 0 && !draft.fits(unit)) {
        for (const chunk of draft.finish()) {
          yield { index, ...chunk };
          index += 1;
        }
        for (const heading of draft.own) updatePath(path, heading);
        draft = createDraft(path, [], chunkTokens);
      }
    }
    draft.add(unit);
  }
  yield* close(null);
}

/** Updates the path of headings above the text that follows. */
function updatePath(path: Heading[], { block, isFirst }: Unit): void {
  if (block.role !== 'heading' || !isFirst) return;
  while (path.length > 0 && path.at(-1)!.level >= block.level) path.pop();
  const title = block.text.replace(/\s+/g, ' ').trim();
  path.push({ level: block.level, title, line: `${'#'.repeat(block.level)} ${title}` });
}

/** Returns the headings that fit into a quarter of a chunk, with preference for the nearest. */
function contextOf(path: readonly Heading[], chunkTokens: number): string {
  const lines: string[] = [];
  let remaining = Math.floor(chunkTokens / 4);
  for (const { line } of path.toReversed()) {
    remaining -= countTextTokens(line) + 1;
    if (remaining < 0) break;
    lines.unshift(line);
  }
  return lines.join('\n');
}

/** A chunk under construction. */
function createDraft(headings: readonly Heading[], overlap: readonly Unit[], chunkTokens: number) {
  const path = [...headings];
  const units: Unit[] = [];
  let overlapUnits = overlap;
  let context = '';
  let tokenCount = 0;

  /**
   * Returns the headings above the first unit. A heading replaces the headings of the same and
   * lower levels.
   */
  const headingsAbove = (): Heading[] => {
    const first = units[0]?.block;
    const level = first?.role === 'heading' ? first.level : Number.POSITIVE_INFINITY;
    return path.filter((heading) => heading.level < level);
  };
  /**
   * Starts the chunk. If its first unit does not fit with the overlap and the headings, they are
   * omitted.
   */
  const startChunk = (unitTokens: number): void => {
    context = contextOf(headingsAbove(), chunkTokens);
    tokenCount = overlapUnits.reduce(
      (total, unit) => total + unit.tokens,
      countTextTokens(context) + 1,
    );
    if (tokenCount + unitTokens > chunkTokens) {
      overlapUnits = [];
      tokenCount = countTextTokens(context) + 1;
    }
    if (tokenCount + unitTokens > chunkTokens) {
      context = '';
      tokenCount = 0;
    }
  };
  const tokensWithFrame = (unit: Unit): number =>
    unit.tokens +
    (unit.frame !== null && unit.frame !== units.at(-1)?.frame ? unit.frame.tokens : 0);

  const buildChunk = (
    units: readonly Unit[],
    overlapping: readonly Unit[],
    headingLines: string,
  ): Omit<Chunk, 'index'> => {
    const body = toMarkdown([...overlapping, ...units]);
    const text = headingLines === '' ? body : `${headingLines}\n\n${body}`;
    const pages = units.map(({ block }) => block.page);
    return {
      text,
      tokens: countTextTokens(text),
      overlap_tokens: overlapping.length === 0 ? 0 : countTextTokens(toMarkdown(overlapping)),
      headings: headingsAbove().map(({ title }) => title),
      pages: [pages.reduce((a, b) => Math.min(a, b)), pages.reduce((a, b) => Math.max(a, b))],
      boxes: boxesOf(units),
    };
  };

  /**
   * Returns the chunk, or several chunks if the joined text has more tokens than the sum of its
   * parts.
   */
  const splitToFit = (
    units: readonly Unit[],
    overlapping: readonly Unit[],
    headingLines: string,
  ): Omit<Chunk, 'index'>[] => {
    const whole = buildChunk(units, overlapping, headingLines);
    if (whole.tokens <= chunkTokens) return [whole];
    if (overlapping.length > 0) return splitToFit(units, [], headingLines);
    if (units.length > 1) {
      const half = units.length >>> 1;
      return [
        ...splitToFit(units.slice(0, half), [], headingLines),
        ...splitToFit(units.slice(half), [], headingLines),
      ];
    }
    return headingLines === '' ? [whole] : splitToFit(units, [], '');
  };

  return {
    own: units,
    tokens: () => tokenCount,
    endsWithHeading: () => units.at(-1)?.block.role === 'heading',
    fits: (unit: Unit): boolean =>
      units.length === 0 || tokenCount + tokensWithFrame(unit) <= chunkTokens,
    add(unit: Unit): void {
      const unitTokens = tokensWithFrame(unit);
      units.push(unit);
      if (units.length === 1) startChunk(unitTokens);
      tokenCount += unitTokens;
    },
    /** Removes and returns the headings at the end, unless the chunk contains nothing else. */
    takeHeadings(): Unit[] {
      let from = units.length;
      while (from > 0 && units[from - 1]!.block.role === 'heading') from -= 1;
      return from === 0 ? [] : units.splice(from);
    },
    /**
     * Returns the last sentences with at most `max` tokens, to repeat at the start of the next
     * chunk.
     */
    tail(max: number): Unit[] {
      const out: Unit[] = [];
      let remaining = max;
      for (const unit of units.toReversed()) {
        remaining -= unit.tokens;
        if (!unit.isRepeatable || remaining < 0 || out.length === units.length - 1) break;
        out.unshift(unit);
      }
      return out;
    },
    finish: (): Omit<Chunk, 'index'>[] => splitToFit(units, overlapUnits, context),
  };
}

/** Returns units as Markdown, with the frames that they need. */
function toMarkdown(units: readonly Unit[]): string {
  const out: string[] = [];
  let before: Unit | null = null;
  for (const unit of units) {
    const sameFrame = before !== null && before.frame !== null && before.frame === unit.frame;
    if (before !== null) {
      if (!sameFrame && before.frame) out.push(before.frame.close);
      out.push(separatorBefore(before, unit, sameFrame));
    }
    if (!sameFrame && unit.frame) out.push(unit.frame.open);
    // Text that continues a sentence from another chunk begins a line here.
    out.push(before === null ? unit.text.trimStart() : unit.text);
    before = unit;
  }
  if (before?.frame) out.push(before.frame.close);
  return out.join('').trimEnd();
}

function separatorBefore(before: Unit, unit: Unit, sameFrame: boolean): string {
  if (sameFrame) return '\n';
  if (before.blockIndex !== unit.blockIndex) return separatorBetween(before.block, unit.block);
  if (unit.continues) return '';
  return unit.block.role === 'table' ? '\n\n' : '  \n';
}

/** Returns one box per block, around its units in the chunk. */
function boxesOf(units: readonly Unit[]): Chunk['boxes'] {
  const boxes = new Map<number, { page: number; box: Box }>();
  for (const { blockIndex, block, box } of units) {
    if (box === null) continue;
    const merged = boxes.get(blockIndex)?.box ?? box;
    boxes.set(blockIndex, {
      page: block.page,
      box: [
        Math.min(merged[0], box[0]),
        Math.min(merged[1], box[1]),
        Math.max(merged[2], box[2]),
        Math.max(merged[3], box[3]),
      ],
    });
  }
  return [...boxes.values()];
}
