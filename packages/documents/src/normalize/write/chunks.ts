import type { Box } from '../../results.ts';
import type { DocBlock } from '../document.ts';
import { between } from './blocks.ts';
import { count } from './tokens.ts';
import { type Unit, unitsOf } from './units.ts';

/** A line of the chunks' JSONL: a stretch of the document that is readable without the rest. */
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
  const overlapMost = Math.min(overlapTokens, Math.floor(chunkTokens / 2));
  const path: Heading[] = [];
  let index = 0;
  let draft = createDraft([], [], chunkTokens);
  const close = function* (next: Unit | null): Generator<Chunk> {
    // A heading stays with the text below it.
    const moved = next === null ? [] : draft.takeHeadings();
    if (draft.own.length > 0) {
      for (const chunk of draft.finish()) {
        yield { index, ...chunk };
        index += 1;
      }
    }
    const before = draft;
    for (const unit of draft.own) follow(path, unit);
    const starts = moved[0] ?? next;
    const overlap =
      starts === null || starts.block.role === 'heading' ? [] : before.tail(overlapMost);
    draft = createDraft(path, overlap, chunkTokens);
    for (const unit of moved) draft.add(unit);
  };
  for (const unit of unitsOf(blocks, max)) {
    const isNewPart = unit.block.role === 'heading' && unit.first;
    const isHalfFull = draft.tokens() >= chunkTokens / 2 && !draft.endsWithHeading();
    // A block of at most half a chunk is not split to fill the current chunk.
    const isBetterWhole =
      unit.first && unit.whole <= chunkTokens / 2 && draft.tokens() + unit.whole > chunkTokens;
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
        for (const heading of draft.own) follow(path, heading);
        draft = createDraft(path, [], chunkTokens);
      }
    }
    draft.add(unit);
  }
  yield* close(null);
}

/** Updates the path of headings above the text that follows. */
function follow(path: Heading[], { block, first }: Unit): void {
  if (block.role !== 'heading' || !first) return;
  while (path.length > 0 && path.at(-1)!.level >= block.level) path.pop();
  const title = block.text.replace(/\s+/g, ' ').trim();
  path.push({ level: block.level, title, line: `${'#'.repeat(block.level)} ${title}` });
}

/** Returns the headings that fit into a quarter of a chunk, with preference for the nearest. */
function contextOf(path: readonly Heading[], chunkTokens: number): string {
  const lines: string[] = [];
  let left = Math.floor(chunkTokens / 4);
  for (const { line } of path.toReversed()) {
    left -= count(line) + 1;
    if (left < 0) break;
    lines.unshift(line);
  }
  return lines.join('\n');
}

/** A chunk under construction. */
function createDraft(headings: readonly Heading[], overlap: readonly Unit[], chunkTokens: number) {
  const path = [...headings];
  const own: Unit[] = [];
  let repeated = overlap;
  let context = '';
  let sum = 0;

  /**
   * Returns the headings above the first unit. A heading replaces the headings of the same and
   * lower levels.
   */
  const above = (): Heading[] => {
    const first = own[0]?.block;
    const level = first?.role === 'heading' ? first.level : Number.POSITIVE_INFINITY;
    return path.filter((heading) => heading.level < level);
  };
  /**
   * Starts the chunk. If its first unit does not fit with the overlap and the headings, they are
   * omitted.
   */
  const begin = (price: number): void => {
    context = contextOf(above(), chunkTokens);
    sum = repeated.reduce((total, unit) => total + unit.tokens, count(context) + 1);
    if (sum + price > chunkTokens) {
      repeated = [];
      sum = count(context) + 1;
    }
    if (sum + price > chunkTokens) {
      context = '';
      sum = 0;
    }
  };
  const cost = (unit: Unit): number =>
    unit.tokens + (unit.frame !== null && unit.frame !== own.at(-1)?.frame ? unit.frame.tokens : 0);

  const chunk = (
    units: readonly Unit[],
    again: readonly Unit[],
    under: string,
  ): Omit<Chunk, 'index'> => {
    const body = rendered([...again, ...units]);
    const text = under === '' ? body : `${under}\n\n${body}`;
    const pages = units.map(({ block }) => block.page);
    return {
      text,
      tokens: count(text),
      overlap_tokens: again.length === 0 ? 0 : count(rendered(again)),
      headings: above().map(({ title }) => title),
      pages: [pages.reduce((a, b) => Math.min(a, b)), pages.reduce((a, b) => Math.max(a, b))],
      boxes: boxesOf(units),
    };
  };

  /**
   * Returns the chunk. Returns several chunks only if the whole has more tokens than the sum of its
   * parts.
   */
  const fitting = (
    units: readonly Unit[],
    again: readonly Unit[],
    under: string,
  ): Omit<Chunk, 'index'>[] => {
    const whole = chunk(units, again, under);
    if (whole.tokens <= chunkTokens) return [whole];
    if (again.length > 0) return fitting(units, [], under);
    if (units.length > 1) {
      const half = units.length >>> 1;
      return [
        ...fitting(units.slice(0, half), [], under),
        ...fitting(units.slice(half), [], under),
      ];
    }
    return under === '' ? [whole] : fitting(units, [], '');
  };

  return {
    own,
    tokens: () => sum,
    endsWithHeading: () => own.at(-1)?.block.role === 'heading',
    fits: (unit: Unit): boolean => own.length === 0 || sum + cost(unit) <= chunkTokens,
    add(unit: Unit): void {
      const price = cost(unit);
      own.push(unit);
      if (own.length === 1) begin(price);
      sum += price;
    },
    /** Removes and returns the headings at the end, unless the chunk contains nothing else. */
    takeHeadings(): Unit[] {
      let from = own.length;
      while (from > 0 && own[from - 1]!.block.role === 'heading') from -= 1;
      return from === 0 ? [] : own.splice(from);
    },
    /**
     * Returns the last sentences with at most `max` tokens, to repeat at the start of the next
     * chunk.
     */
    tail(max: number): Unit[] {
      const out: Unit[] = [];
      let left = max;
      for (const unit of own.toReversed()) {
        left -= unit.tokens;
        if (!unit.prose || left < 0 || out.length === own.length - 1) break;
        out.unshift(unit);
      }
      return out;
    },
    finish: (): Omit<Chunk, 'index'>[] => fitting(own, repeated, context),
  };
}

/** Returns units as Markdown, with the frames that they need. */
function rendered(units: readonly Unit[]): string {
  const out: string[] = [];
  let before: Unit | null = null;
  for (const unit of units) {
    const sameFrame = before !== null && before.frame !== null && before.frame === unit.frame;
    if (before !== null) {
      if (!sameFrame && before.frame) out.push(before.frame.close);
      out.push(gap(before, unit, sameFrame));
    }
    if (!sameFrame && unit.frame) out.push(unit.frame.open);
    // Text that continues a sentence from another chunk begins a line here.
    out.push(before === null ? unit.text.trimStart() : unit.text);
    before = unit;
  }
  if (before?.frame) out.push(before.frame.close);
  return out.join('').trimEnd();
}

function gap(before: Unit, unit: Unit, sameFrame: boolean): string {
  if (sameFrame) return '\n';
  if (before.at !== unit.at) return between(before.block, unit.block);
  if (unit.continues) return '';
  return unit.block.role === 'table' ? '\n\n' : '  \n';
}

/** Returns one box per block, around its units in the chunk. */
function boxesOf(units: readonly Unit[]): Chunk['boxes'] {
  const boxes = new Map<number, { page: number; box: Box }>();
  for (const { at, block, box } of units) {
    if (box === null) continue;
    const known = boxes.get(at)?.box ?? box;
    boxes.set(at, {
      page: block.page,
      box: [
        Math.min(known[0], box[0]),
        Math.min(known[1], box[1]),
        Math.max(known[2], box[2]),
        Math.max(known[3], box[3]),
      ],
    });
  }
  return [...boxes.values()];
}
