import { firstWhere } from '@scriptorium/pii/first-where';
import type { FormField } from '../pdf/form-fields.ts';
import type { PageRules } from '../pdf/page-rules.ts';
import type { Box } from '../results.ts';
import { maxBaselineOffset, shareBaseline } from '../rows.ts';
import type { ModelLine, PageModel, Rule } from './page.ts';

/** Two adjacent lines on one baseline. */
type Gap = { before: ModelLine; line: ModelLine };

/**
 * The kind of gap between two parts of a line: a cell border, a space in running text, or unknown.
 */
export type GapKind = 'wall' | 'space' | 'unknown';

/** Maximum distance between edges that are aligned intentionally, in font sizes. */
const maxAlignmentOffset = 0.08;
/** Maximum distance of other lines that are compared, above or below a line, in font sizes. */
const maxComparedDistance = 6;
/**
 * Maximum distance between the end of a justified line and the edge of its block, in font sizes.
 */
const maxEdgeDistance = 0.8;
const minRows = 3;
/** Minimum height of a rule, in points. Lower ones are strokes of letters. */
const minRuleHeight = 8;

/** Returns upright lines and the sides of shaded cells and form fields, from left to right. */
export function cellBorders({ down, fills }: PageRules, fields: readonly FormField[]): Rule[] {
  const lines = down.map(({ at, from, to }): Rule => ({ x: at, top: from, bottom: to }));
  const sides = [...fills, ...fields.map(({ box }) => box)].flatMap(
    ([x0, top, x1, bottom]): Rule[] => [
      { x: x0, top, bottom },
      { x: x1, top, bottom },
    ],
  );
  return [...lines, ...sides]
    .filter(({ top, bottom }) => bottom - top >= minRuleHeight)
    .sort((a, b) => a.x - b.x);
}

/** Whether a rule separates two words of a level line. */
export function areSeparated({ rules }: PageModel, left: Box, right: Box): boolean {
  const [from, to] = [left[2] - 1, right[0] + 1];
  const middle = (left[1] + left[3]) / 2;
  for (
    let at = firstWhere(rules.length, (one) => rules[one]!.x >= from);
    at < rules.length;
    at += 1
  ) {
    const { x, top, bottom } = rules[at]!;
    if (x > to) return false;
    if (top <= middle && bottom >= middle) return true;
  }
  return false;
}

/** Whether two lines are on one baseline, the first one on the left. */
function areAdjacent(before: ModelLine, line: ModelLine): boolean {
  return shareBaseline(before, line) && line.from >= before.to;
}

/**
 * Returns the kind of each gap between adjacent lines of a block. `lines` are the lines in order.
 */
export function gapKinds(model: PageModel, lines: readonly ModelLine[]): Map<ModelLine, GapKind> {
  const gaps = lines.flatMap((line, at): Gap[] => {
    const before = lines[at - 1];
    return before && areAdjacent(before, line) ? [{ before, line }] : [];
  });
  const kinds = new Map<ModelLine, GapKind>();
  if (gaps.length === 0) return kinds;
  const byBase = [...lines].sort((a, b) => a.base - b.base);
  const isFull = createJustifiedTest(lines);
  for (const gap of gaps) {
    const isWall = areSeparated(model, gap.before.box, gap.line.box) || isAligned(gap, byBase);
    kinds.set(gap.line, isWall ? 'wall' : isFull(gap.line) ? 'space' : 'unknown');
  }
  return kinds;
}

/** Whether the text after a gap starts exactly where another line nearby starts. */
function isAligned({ before, line }: Gap, byBase: readonly ModelLine[]): boolean {
  const maxDistance = maxComparedDistance * line.size;
  const first = firstWhere(byBase.length, (at) => byBase[at]!.base >= line.base - maxDistance);
  for (let at = first; at < byBase.length; at += 1) {
    const other = byBase[at]!;
    if (other.base > line.base + maxDistance) return false;
    const isOther = Math.abs(other.base - line.base) > maxBaselineOffset * line.size;
    const isSame = Math.abs(other.from - line.from) <= maxAlignmentOffset * line.size;
    if (isOther && isSame && other.from > before.to) return true;
  }
  return false;
}

/**
 * Returns a test of whether a line reaches both edges of its block. It returns false
 * for all lines if most lines do not, or if the block has few lines.
 */
function createJustifiedTest(lines: readonly ModelLine[]): (line: ModelLine) => boolean {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const rows = new Map<number, { from: number; to: number; size: number }>();
  for (const line of lines) {
    from = Math.min(from, line.from);
    to = Math.max(to, line.to);
    const row = rows.get(line.base);
    rows.set(line.base, {
      from: Math.min(row?.from ?? line.from, line.from),
      to: Math.max(row?.to ?? line.to, line.to),
      size: line.size,
    });
  }
  const isFull = (base: number): boolean => {
    const row = rows.get(base);
    if (!row) return false;
    return (
      row.from - from <= maxEdgeDistance * row.size && to - row.to <= maxEdgeDistance * row.size
    );
  };
  const fullRows = [...rows.keys()].filter(isFull).length;
  const isJustified = rows.size >= minRows && fullRows * 2 >= rows.size;
  return ({ base }) => isJustified && isFull(base);
}
