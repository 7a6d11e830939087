/**
 * Lays out the boxes to paint. By default, a box must not reveal the length of the hidden text. It
 * starts where the preceding text ends, and extends to the following content on its line, to the
 * next column, or to the edge of the page.
 */
import { isDrawnType } from '@scriptorium/contracts/documents/entities';
import {
  applyToBox,
  area,
  coverage,
  grow,
  heightOf,
  intersection,
  intersects,
  invert,
  type Matrix,
  turn,
  union,
  widthOf,
} from '../../../../geometry.ts';
import type { Box, Quarter } from '../../../../results.ts';
import { type HiddenType, type PagePlan, unreadableType } from '../../../contract/plan.ts';
import type { BoxExtent } from '../../../contract/requests.ts';
import { boxAroundInk, type GreyPage, rotateGreyPage } from './box-around-ink.ts';
import { nextColumn, type Run, runsOf } from './columns.ts';
import { isBlankCode, type Survey, type SurveyedGlyph } from './survey.ts';

/** A box to paint, and the content that it hides. */
export interface PaintRegion {
  box: Box;
  types: HiddenType[];
  /** Clockwise rotation of the hidden text, for the label. */
  direction: Quarter;
  /** The planned areas that the box covers. */
  planned: Box[];
  /**
   * Whether the box hides only text of the page itself, which is not part of the pictures behind
   * it.
   */
  textOnly: boolean;
}

/** Boxes without preceding content start on multiples of this number of points. */
const startGrid = 4;
/** Distance to the following content, in points. */
const minGap = 0.75;
/** Minimum share of a glyph that must be level with a line for the glyph to belong to the line. */
const minLevelShare = { cell: 0.4, core: 0.25 };
/** Maximum ratio of the heights of boxes on one line. */
const maxTallerRatio = 2.5;
/** Like `minCoveredShare` of the text rewriter, but for cells of approximate height. */
const minCoveredShare = 0.5;

/** Returns the glyphs that the boxes remove. */
export function glyphsIn(survey: Survey, boxes: readonly Box[]): Set<SurveyedGlyph> {
  const removed = new Set<SurveyedGlyph>();
  for (const glyph of survey.glyphs) {
    const { core } = glyph;
    if (boxes.some((box) => coverage(core, box) >= minCoveredShare)) removed.add(glyph);
  }
  return removed;
}

interface LayoutContext {
  width: number;
  height: number;
  survey: Survey;
  /** Glyphs that are not removed. */
  kept: SurveyedGlyph[];
  /** The page as drawn, to find content that is not text. */
  ink: () => Promise<GreyPage>;
  extent: BoxExtent;
  /** Runs of remaining text, for each direction in which text was removed. */
  runs: Map<Quarter, Run[]>;
}

/**
 * Whether any part of a region is on the page. Outside the page, content is removed without a box.
 */
export const isOnPage = ({ box }: PaintRegion): boolean =>
  widthOf(box) > 0.01 && heightOf(box) > 0.01;

/** Lays out the boxes to paint on a page for the planned removals. */
export async function layOutRegions(
  survey: Survey,
  size: { width: number; height: number },
  plan: Pick<PagePlan, 'removals' | 'unreadable'>,
  ink: () => Promise<GreyPage>,
  extent: BoxExtent = 'to_edge',
): Promise<PaintRegion[]> {
  const { removals } = plan;
  const planned = plannedAreas(plan);
  const removed = glyphsIn(survey, planned);
  const kept = survey.glyphs.filter((glyph) => !removed.has(glyph));
  const page: LayoutContext = { ...size, survey, kept, ink, extent, runs: new Map() };
  const regions: PaintRegion[] = [];
  for (const { type, boxes, source, direction = 0 } of removals) {
    if (isDrawnType(type)) {
      regions.push(...layOutAreas(boxes, type, size));
      continue;
    }
    for (const box of boxes) {
      const covered = [...glyphsIn(survey, [box])];
      const visibleGlyphs = covered.filter(({ visible }) => visible);
      const isText = visibleGlyphs.length > 0 && visibleGlyphs.length === covered.length;
      const layout = isText
        ? layOutText(page, visibleGlyphs)
        : await layOutPicture(page, box, direction);
      regions.push({
        ...layout,
        types: [type],
        planned: [box],
        textOnly: isText && source === 'pdf',
      });
    }
  }
  regions.push(...layOutAreas(plan.unreadable ?? [], unreadableType, size));
  return mergeRegions(regions, page);
}

/** Lays out boxes around content that is not text, and that has no line to extend along. */
function layOutAreas(
  boxes: readonly Box[],
  type: HiddenType,
  { width, height }: { width: number; height: number },
): PaintRegion[] {
  return boxes.flatMap((planned) => {
    const box = intersection(planned, [0, 0, width, height]);
    return box
      ? [{ box, types: [type], direction: 0, planned: [planned], textOnly: false } as const]
      : [];
  });
}

/** Returns all areas of a page that must be removed. */
export function plannedAreas({
  removals,
  unreadable = [],
}: Pick<PagePlan, 'removals' | 'unreadable'>): Box[] {
  return [...removals.flatMap(({ boxes }) => boxes), ...unreadable];
}

/** Returns the matrix that maps a page so that lines of this direction run to the right. */
function readingMatrix({ width, height }: LayoutContext, direction: Quarter): Matrix {
  return turn(width, height, -direction);
}

/** Lays out a box around glyphs of the page's own text. */
function layOutText(
  page: LayoutContext,
  glyphs: readonly SurveyedGlyph[],
): Pick<PaintRegion, 'box' | 'direction'> {
  const direction = glyphs[0]?.direction ?? null;
  const cells = glyphs.map(({ cell }) => cell).reduce(union);
  if (direction === null) return { box: snapToGrid(cells, page), direction: 0 };
  const map = readingMatrix(page, direction);
  // Most lines already run to the right.
  const toReading = (box: Box): Box => (direction === 0 ? box : applyToBox(map, box));
  const [x0, y0, x1, y1] = toReading(cells);
  const pageEdges = toReading([0, 0, page.width, page.height]);
  const band: Box = [pageEdges[0], y0, pageEdges[2], y1];
  const middle = Math.min(x1, x0 + (y1 - y0) * 0.5);
  let left = Math.max(pageEdges[0], Math.floor(x0 / startGrid) * startGrid);
  let right = pageEdges[2];
  const lineHeight = y1 - y0;
  for (const glyph of page.kept) {
    const cell = toReading(glyph.cell);
    if (
      coverage(cell, band) < minLevelShare.cell &&
      coverage(toReading(glyph.core), band) < minLevelShare.core
    )
      continue;
    if (cell[0] < x0 && cell[2] > x0 - lineHeight && cell[2] <= x0 + lineHeight * 0.5) {
      // The box starts where the preceding text ends, because the position of the removed text
      // depends on its first letter.
      left = Math.max(left, cell[2]);
      if (!isBlankCode(glyph.code)) left = Math.max(left, toReading(glyph.ink)[2]);
    } else if (!isBlankCode(glyph.code) && cell[0] >= middle - 0.01) {
      right = Math.min(right, cell[0] - minGap, toReading(glyph.ink)[0] - minGap);
    }
  }
  for (const { box } of page.survey.obstacles) {
    // A drawing that starts after the text: the rule or background of another cell, or a symbol.
    const [a, b, c, d] = toReading(box);
    const isLevel = c - a > d - b;
    if (isLevel && d - b <= 3) continue;
    if (a < x1 + 0.5 || d <= y0 + lineHeight * 0.2 || b >= y1 - lineHeight * 0.2 || a >= c)
      continue;
    right = Math.min(right, a);
  }
  right = Math.min(
    right,
    nextColumn(runsIn(page, direction, toReading), [x0, y0, x1, y1]) - minGap,
  );
  [left, right] = extendBox(page.extent, { from: x0, to: x1, left, right });
  const [top, bottom] = clearVertically(page, toReading, [left, y0, right, y1]);
  const box: Box = [left, top, Math.max(right, left + 1), bottom];
  return { box: applyToBox(invert(map), box), direction };
}

/** Returns the runs of remaining text with this direction. */
function runsIn(page: LayoutContext, direction: Quarter, toReading: (box: Box) => Box): Run[] {
  let runs = page.runs.get(direction);
  if (!runs) {
    const letters = page.kept.filter(
      (glyph) => glyph.direction === direction && glyph.visible && !isBlankCode(glyph.code),
    );
    runs = runsOf(letters.map(({ cell }) => toReading(cell)));
    page.runs.set(direction, runs);
  }
  return runs;
}

/** The length of `padded` boxes is a multiple of this number of points. */
const lengthStep = 54;

/**
 * Returns the start and end of a box. `to_edge` hides the length of the removed text, `padded`
 * reveals it approximately, and `tight` reveals it.
 */
function extendBox(
  extent: BoxExtent,
  { from, to, left, right }: { from: number; to: number; left: number; right: number },
): [number, number] {
  if (extent === 'to_edge') return [left, right];
  const start = Math.max(
    left,
    extent === 'tight' ? from : Math.floor(from / startGrid) * startGrid,
  );
  const length =
    extent === 'tight' ? to - start : Math.ceil((to - start) / lengthStep) * lengthStep;
  return [start, Math.min(right, start + length)];
}

/** Rounds the top and bottom outwards, but not over letters of the lines above and below. */
function clearVertically(
  page: LayoutContext,
  toReading: (box: Box) => Box,
  box: Box,
): [number, number] {
  let top = Math.floor(box[1]);
  let bottom = Math.ceil(box[3]);
  const height = box[3] - box[1];
  const middle = (box[1] + box[3]) / 2;
  for (const glyph of page.kept) {
    if (isBlankCode(glyph.code) || !glyph.visible) continue;
    const [x0, y0, x1, y1] = toReading(glyph.ink);
    if (x1 <= box[0] || x0 >= box[2] || y1 <= top || y0 >= bottom) continue;
    if ((y0 + y1) / 2 < middle) top = Math.min(Math.max(top, y1), box[1] + height * 0.3);
    else bottom = Math.max(Math.min(bottom, y0), box[3] - height * 0.3);
  }
  return [top, bottom];
}

/**
 * Lays out a box around content of a picture, according to the drawn content around it and the text
 * over it.
 */
async function layOutPicture(
  page: LayoutContext,
  planned: Box,
  direction: Quarter,
): Promise<Pick<PaintRegion, 'box' | 'direction'>> {
  const map = readingMatrix(page, direction);
  const toReading = (other: Box): Box => applyToBox(map, other);
  const box = toReading(planned);
  const [, , width, height] = toReading([0, 0, page.width, page.height]);
  const [x0, top, x1, bottom] = boxAroundInk(rotateGreyPage(await page.ink(), -direction), box, {
    width,
    height,
  });
  let [left, right] = [x0, x1];
  // Recognised text is kept. Its boxes are not accurate to the pixel.
  const overlap = heightOf(box) * 0.2;
  for (const glyph of page.kept) {
    const core = toReading(glyph.core);
    if (isBlankCode(glyph.code) || coverage(core, [0, top, width, bottom]) < minCoveredShare)
      continue;
    const cell = toReading(glyph.cell);
    const middle = (cell[0] + cell[2]) / 2;
    if (middle < box[0]) left = Math.max(left, Math.min(cell[2], box[0]));
    if (middle > box[2] - overlap) right = Math.min(right, Math.max(cell[0], box[2]));
  }
  [left, right] = extendBox(page.extent, { from: box[0], to: box[2], left, right });
  return { box: applyToBox(invert(map), [left, top, right, bottom]), direction };
}

/** Extends a box to the grid, within the page. */
function snapToGrid(box: Box, { width, height }: LayoutContext): Box {
  const out: Box = [
    Math.floor(box[0] / startGrid) * startGrid,
    Math.floor(box[1] / 2) * 2,
    Math.ceil(box[2] / startGrid) * startGrid,
    Math.ceil(box[3] / 2) * 2,
  ];
  return intersection(out, [0, 0, width, height]) ?? grow(box, 1);
}

/**
 * Returns the areas to paint for a region: its box, and the planned areas where they extend above
 * or below it. The latter are painted along the whole box, because their ends would reveal the
 * length of the hidden text.
 */
export function paintedAreas({ box, planned, direction }: PaintRegion): Box[] {
  const isLevel = direction % 180 === 0;
  const along = planned.map(
    ([x0, y0, x1, y1]): Box =>
      isLevel
        ? [Math.min(x0, box[0]), y0, Math.max(x1, box[2]), y1]
        : [x0, Math.min(y0, box[1]), x1, Math.max(y1, box[3])],
  );
  return [box, ...along];
}

/**
 * Merges overlapping boxes on a line, because the start of the second box would reveal information
 * about the first.
 */
function mergeRegions(regions: readonly PaintRegion[], page: LayoutContext): PaintRegion[] {
  const merged: PaintRegion[] = [];
  for (const region of [...regions].sort(compareByPosition)) {
    const existing = merged.find((other) => {
      if (!intersects(other.box, region.box) || other.direction !== region.direction) return false;
      const shared = intersection(other.box, region.box);
      const extentOf = region.direction % 180 === 0 ? heightOf : widthOf;
      const [lower = 0, taller = 0] = [extentOf(other.box), extentOf(region.box)].sort(
        (a, b) => a - b,
      );
      if (!shared || extentOf(shared) <= lower * 0.5) return false;
      // A box around a line and a much taller box, or writing beside it, would cover other lines.
      const isWithin = [other.box, region.box].some((box) => area(shared) >= 0.99 * area(box));
      return isWithin || (isArea(other) === isArea(region) && taller <= maxTallerRatio * lower);
    });
    if (!existing) {
      merged.push({ ...region, types: [...region.types], planned: [...region.planned] });
      continue;
    }
    existing.box = union(existing.box, region.box);
    for (const type of region.types) if (!existing.types.includes(type)) existing.types.push(type);
    existing.planned.push(...region.planned);
    existing.textOnly &&= region.textOnly;
  }
  for (const region of merged) {
    // Lines of two columns are rarely level with each other. A box around lines of both columns may
    // cover letters beside one of them.
    if (region.textOnly && region.planned.length > 1) region.box = clearLetters(page, region);
  }
  return merged;
}

/** Whether a region hides content that is not text on a line. */
const isArea = ({ types }: PaintRegion): boolean =>
  types.some((type) => type === unreadableType || isDrawnType(type));

function clearLetters(page: LayoutContext, { box, direction }: PaintRegion): Box {
  const map = readingMatrix(page, direction);
  const [x0, y0, x1, y1] = applyToBox(map, box);
  const [top, bottom] = clearVertically(page, (other) => applyToBox(map, other), [x0, y0, x1, y1]);
  return applyToBox(invert(map), [x0, top, x1, bottom]);
}

function compareByPosition(a: PaintRegion, b: PaintRegion): number {
  const byRow = a.box[1] - b.box[1];
  if (Math.abs(byRow) > 0.01) return byRow;
  return a.box[0] - b.box[0] || (a.types[0] ?? '').localeCompare(b.types[0] ?? '');
}
