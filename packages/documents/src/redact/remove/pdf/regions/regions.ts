/**
 * Lays out the boxes to paint. By default, a box must not reveal the length of the hidden text. It
 * starts where the preceding text ends, and extends to the following content on its line, to the
 * next column, or to the edge of the page.
 */
import {
  applyToBox,
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
import { nextColumn, type Run, runsOf } from './columns.ts';
import { type Ink, inkAround, turnInk } from './ink.ts';
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
const grid = 4;
/** Distance to the following content, in points. */
const gap = 0.75;
/** Minimum share of a glyph that must be level with a line for the glyph to belong to the line. */
const onLine = { cell: 0.4, core: 0.25 };
/** Like `goingShare` of the text rewriter, but for cells of approximate height. */
const goingShare = 0.5;

/** Returns the glyphs that the boxes remove. */
export function glyphsIn(survey: Survey, boxes: readonly Box[]): Set<SurveyedGlyph> {
  const gone = new Set<SurveyedGlyph>();
  for (const glyph of survey.glyphs) {
    const { core } = glyph;
    if (boxes.some((box) => coverage(core, box) >= goingShare)) gone.add(glyph);
  }
  return gone;
}

interface Page {
  width: number;
  height: number;
  survey: Survey;
  /** Glyphs that are not removed. */
  kept: SurveyedGlyph[];
  /** The page as drawn, to find content that is not text. */
  ink: () => Promise<Ink>;
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
  ink: () => Promise<Ink>,
  extent: BoxExtent = 'to_edge',
): Promise<PaintRegion[]> {
  const { removals } = plan;
  const planned = plannedAreas(plan);
  const gone = glyphsIn(survey, planned);
  const kept = survey.glyphs.filter((glyph) => !gone.has(glyph));
  const page: Page = { ...size, survey, kept, ink, extent, runs: new Map() };
  const regions: PaintRegion[] = [];
  for (const { type, boxes, source, direction = 0 } of removals) {
    for (const box of boxes) {
      const hit = [...glyphsIn(survey, [box])];
      const drawn = hit.filter(({ visible }) => visible);
      const isText = drawn.length > 0 && drawn.length === hit.length;
      const laid = isText ? layOutText(page, drawn) : await layOutPicture(page, box, direction);
      regions.push({
        ...laid,
        types: [type],
        planned: [box],
        textOnly: isText && source === 'pdf',
      });
    }
  }
  for (const box of plan.unreadable ?? []) {
    const on = intersection(box, [0, 0, size.width, size.height]);
    if (!on) continue;
    const types: HiddenType[] = [unreadableType];
    regions.push({ box: on, types, direction: 0, planned: [box], textOnly: false });
  }
  return merge(regions, page);
}

/** Returns all areas of a page that must be removed. */
export function plannedAreas({
  removals,
  unreadable = [],
}: Pick<PagePlan, 'removals' | 'unreadable'>): Box[] {
  return [...removals.flatMap(({ boxes }) => boxes), ...unreadable];
}

/** Returns the matrix that maps a page so that lines of this direction run to the right. */
function reading({ width, height }: Page, direction: Quarter): Matrix {
  return turn(width, height, -direction);
}

/** Lays out a box around glyphs of the page's own text. */
function layOutText(
  page: Page,
  glyphs: readonly SurveyedGlyph[],
): Pick<PaintRegion, 'box' | 'direction'> {
  const direction = glyphs[0]?.direction ?? null;
  const cells = glyphs.map(({ cell }) => cell).reduce(union);
  if (direction === null) return { box: snap(cells, page), direction: 0 };
  const map = reading(page, direction);
  // Most lines already run to the right.
  const place = (box: Box): Box => (direction === 0 ? box : applyToBox(map, box));
  const [x0, y0, x1, y1] = place(cells);
  const edge = place([0, 0, page.width, page.height]);
  const band: Box = [edge[0], y0, edge[2], y1];
  const middle = Math.min(x1, x0 + (y1 - y0) * 0.5);
  let left = Math.max(edge[0], Math.floor(x0 / grid) * grid);
  let right = edge[2];
  const reach = y1 - y0;
  for (const glyph of page.kept) {
    const cell = place(glyph.cell);
    if (coverage(cell, band) < onLine.cell && coverage(place(glyph.core), band) < onLine.core)
      continue;
    if (cell[0] < x0 && cell[2] > x0 - reach && cell[2] <= x0 + reach * 0.5) {
      // The box starts where the preceding text ends, because the position of the removed text
      // depends on its first letter.
      left = Math.max(left, cell[2]);
      if (!isBlankCode(glyph.code)) left = Math.max(left, place(glyph.ink)[2]);
    } else if (!isBlankCode(glyph.code) && cell[0] >= middle - 0.01) {
      right = Math.min(right, cell[0] - gap, place(glyph.ink)[0] - gap);
    }
  }
  for (const { box } of page.survey.obstacles) {
    // A drawing that starts after the text: the rule or background of another cell, or a symbol.
    const [a, b, c, d] = place(box);
    const level = c - a > d - b;
    if (level && d - b <= 3) continue;
    if (a < x1 + 0.5 || d <= y0 + reach * 0.2 || b >= y1 - reach * 0.2 || a >= c) continue;
    right = Math.min(right, a);
  }
  right = Math.min(right, nextColumn(runsIn(page, direction, place), [x0, y0, x1, y1]) - gap);
  [left, right] = extended(page.extent, { from: x0, to: x1, left, right });
  const [top, bottom] = clearOf(page, place, [left, y0, right, y1]);
  const box: Box = [left, top, Math.max(right, left + 1), bottom];
  return { box: applyToBox(invert(map), box), direction };
}

/** Returns the runs of remaining text with this direction. */
function runsIn(page: Page, direction: Quarter, place: (box: Box) => Box): Run[] {
  let runs = page.runs.get(direction);
  if (!runs) {
    const letters = page.kept.filter(
      (glyph) => glyph.direction === direction && glyph.visible && !isBlankCode(glyph.code),
    );
    runs = runsOf(letters.map(({ cell }) => place(cell)));
    page.runs.set(direction, runs);
  }
  return runs;
}

/** The length of `padded` boxes is a multiple of this number of points. */
const step = 54;

/**
 * Returns the start and end of a box. `to_edge` hides the length of the removed text, `padded`
 * reveals it approximately, and `tight` reveals it.
 */
function extended(
  extent: BoxExtent,
  { from, to, left, right }: { from: number; to: number; left: number; right: number },
): [number, number] {
  if (extent === 'to_edge') return [left, right];
  const start = Math.max(left, extent === 'tight' ? from : Math.floor(from / grid) * grid);
  const length = extent === 'tight' ? to - start : Math.ceil((to - start) / step) * step;
  return [start, Math.min(right, start + length)];
}

/** Rounds the top and bottom outwards, but not over letters of the lines above and below. */
function clearOf(page: Page, place: (box: Box) => Box, box: Box): [number, number] {
  let top = Math.floor(box[1]);
  let bottom = Math.ceil(box[3]);
  const height = box[3] - box[1];
  const middle = (box[1] + box[3]) / 2;
  for (const glyph of page.kept) {
    if (isBlankCode(glyph.code) || !glyph.visible) continue;
    const [x0, y0, x1, y1] = place(glyph.ink);
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
  page: Page,
  drawn: Box,
  direction: Quarter,
): Promise<Pick<PaintRegion, 'box' | 'direction'>> {
  const map = reading(page, direction);
  const place = (other: Box): Box => applyToBox(map, other);
  const box = place(drawn);
  const [, , width, height] = place([0, 0, page.width, page.height]);
  const [x0, top, x1, bottom] = inkAround(turnInk(await page.ink(), -direction), box, {
    width,
    height,
  });
  let [left, right] = [x0, x1];
  // Recognised text is kept. Its boxes are not accurate to the pixel.
  const overlap = heightOf(box) * 0.2;
  for (const glyph of page.kept) {
    const core = place(glyph.core);
    if (isBlankCode(glyph.code) || coverage(core, [0, top, width, bottom]) < goingShare) continue;
    const cell = place(glyph.cell);
    const middle = (cell[0] + cell[2]) / 2;
    if (middle < box[0]) left = Math.max(left, Math.min(cell[2], box[0]));
    if (middle > box[2] - overlap) right = Math.min(right, Math.max(cell[0], box[2]));
  }
  [left, right] = extended(page.extent, { from: box[0], to: box[2], left, right });
  return { box: applyToBox(invert(map), [left, top, right, bottom]), direction };
}

/** Extends a box to the grid, within the page. */
function snap(box: Box, { width, height }: Page): Box {
  const out: Box = [
    Math.floor(box[0] / grid) * grid,
    Math.floor(box[1] / 2) * 2,
    Math.ceil(box[2] / grid) * grid,
    Math.ceil(box[3] / 2) * 2,
  ];
  return intersection(out, [0, 0, width, height]) ?? grow(box, 1);
}

/**
 * Returns the areas to paint for a region: its box, and the planned areas where they extend above
 * or below it. The latter are painted along the whole box, because their ends would reveal the
 * length of the hidden text.
 */
export function paintedFor({ box, planned, direction }: PaintRegion): Box[] {
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
function merge(regions: readonly PaintRegion[], page: Page): PaintRegion[] {
  const merged: PaintRegion[] = [];
  for (const region of [...regions].sort(byPlace)) {
    const same = merged.find((other) => {
      if (!intersects(other.box, region.box) || other.direction !== region.direction) return false;
      const shared = intersection(other.box, region.box);
      const lower = Math.min(heightOf(other.box), heightOf(region.box));
      const narrower = Math.min(widthOf(other.box), widthOf(region.box));
      const isLevel = region.direction % 180 === 0;
      return (
        shared && (isLevel ? heightOf(shared) > lower * 0.5 : widthOf(shared) > narrower * 0.5)
      );
    });
    if (!same) {
      merged.push({ ...region, types: [...region.types], planned: [...region.planned] });
      continue;
    }
    same.box = union(same.box, region.box);
    for (const type of region.types) if (!same.types.includes(type)) same.types.push(type);
    same.planned.push(...region.planned);
    same.textOnly &&= region.textOnly;
  }
  for (const region of merged) {
    // Lines of two columns are rarely level with each other. A box around lines of both columns may
    // cover letters beside one of them.
    if (region.textOnly && region.planned.length > 1) region.box = cleared(page, region);
  }
  return merged;
}

function cleared(page: Page, { box, direction }: PaintRegion): Box {
  const map = reading(page, direction);
  const [x0, y0, x1, y1] = applyToBox(map, box);
  const [top, bottom] = clearOf(page, (other) => applyToBox(map, other), [x0, y0, x1, y1]);
  return applyToBox(invert(map), [x0, top, x1, bottom]);
}

function byPlace(a: PaintRegion, b: PaintRegion): number {
  const byRow = a.box[1] - b.box[1];
  if (Math.abs(byRow) > 0.01) return byRow;
  return a.box[0] - b.box[0] || (a.types[0] ?? '').localeCompare(b.types[0] ?? '');
}
