/**
 * Where boxes are painted. A box must not tell how long what it hides is: it starts where the text
 * before it ends and runs to what follows on its line, or to the page's edge.
 */
import type { FoundType } from '../../../contracts/entities.ts';
import { applyToBox, invert, type Matrix, turn } from '../../geometry.ts';
import type { Box, Quarter } from '../../results.ts';
import type { PlannedRemoval } from '../plan.ts';
import { cut, grow, heightOf, share, touches, union, widthOf } from './boxes.ts';
import { type Ink, inkAround, turned } from './ink.ts';
import { type Glyph, isBlank, type Survey } from './survey.ts';

/** A box to paint, and what it hides. */
export interface Region {
  box: Box;
  types: FoundType[];
  /** Clockwise turn of the text in it, for the label. */
  direction: Quarter;
  /** What was planned to go under it. */
  planned: Box[];
  /** All it hides is text that is drawn, read as such: pictures behind it do not show it. */
  textOnly: boolean;
}

/** Boxes begin on multiples of this many points where nothing stands before them. */
const grid = 4;
/** Left free before what follows, in points. */
const gap = 0.75;
/** How much of a glyph is level with a line that it stands on; less is of the lines beside it. */
const onLine = { cell: 0.4, core: 0.25 };
/** As `goingShare` of the rewriting, by cells whose height is not known to the tenth. */
const goingShare = 0.5;

/** The part of a cell that every letter fills. */
function coreOf({ cell, origin, direction }: Glyph): Box {
  const [x0, y0, x1, y1] = cell;
  const tall = direction === 0 || direction === 180 || direction === null;
  if (tall) {
    const up = direction !== 180;
    const size = Math.abs(y1 - y0) * 0.45;
    return up ? [x0, origin[1] - size, x1, origin[1]] : [x0, origin[1], x1, origin[1] + size];
  }
  const size = Math.abs(x1 - x0) * 0.45;
  return direction === 90
    ? [origin[0], y0, origin[0] + size, y1]
    : [origin[0] - size, y0, origin[0], y1];
}

/** The glyphs that boxes take away. */
export function glyphsIn(survey: Survey, boxes: readonly Box[]): Set<Glyph> {
  const gone = new Set<Glyph>();
  for (const glyph of survey.glyphs) {
    const core = coreOf(glyph);
    if (boxes.some((box) => share(core, box) >= goingShare)) gone.add(glyph);
  }
  return gone;
}

interface Page {
  width: number;
  height: number;
  survey: Survey;
  /** Glyphs that stay. */
  kept: Glyph[];
  /** The page as drawn, for what is no text. */
  ink: () => Promise<Ink>;
}

/** Whether a region is on the page at all: what lies outside it is removed without a box. */
export const isOnPage = ({ box }: Region): boolean => widthOf(box) > 0.01 && heightOf(box) > 0.01;

/** The boxes to paint on a page for what is planned to go from it. */
export async function layOutRegions(
  survey: Survey,
  size: { width: number; height: number },
  removals: readonly PlannedRemoval[],
  ink: () => Promise<Ink>,
): Promise<Region[]> {
  const planned = removals.flatMap(({ boxes }) => boxes);
  const gone = glyphsIn(survey, planned);
  const kept = survey.glyphs.filter((glyph) => !gone.has(glyph));
  const page: Page = { ...size, survey, kept, ink };
  const regions: Region[] = [];
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
  return merge(regions, page);
}

/** Maps a page so that lines of a direction run to the right. */
function reading({ width, height }: Page, direction: Quarter): Matrix {
  return turn(width, height, -direction);
}

/** Around glyphs of the page's own text. */
function layOutText(page: Page, glyphs: readonly Glyph[]): Pick<Region, 'box' | 'direction'> {
  const direction = glyphs[0]?.direction ?? null;
  const cells = glyphs.map(({ cell }) => cell).reduce(union);
  if (direction === null) return { box: snap(cells, page), direction: 0 };
  const map = reading(page, direction);
  const place = (box: Box): Box => applyToBox(map, box);
  const [x0, y0, x1, y1] = place(cells);
  const edge = place([0, 0, page.width, page.height]);
  const band: Box = [edge[0], y0, edge[2], y1];
  const middle = Math.min(x1, x0 + (y1 - y0) * 0.5);
  let left = Math.max(edge[0], Math.floor(x0 / grid) * grid);
  let right = edge[2];
  const reach = y1 - y0;
  for (const glyph of page.kept) {
    const cell = place(glyph.cell);
    if (share(cell, band) < onLine.cell && share(place(coreOf(glyph)), band) < onLine.core)
      continue;
    if (cell[0] < x0 && cell[2] > x0 - reach && cell[2] <= x0 + reach * 0.5) {
      // Where the text before ends, and not where what goes begins: that hangs on its first letter.
      left = Math.max(left, cell[2]);
      if (!isBlank(glyph.code)) left = Math.max(left, place(glyph.ink)[2]);
    } else if (!isBlank(glyph.code) && cell[0] >= middle - 0.01) {
      right = Math.min(right, cell[0] - gap, place(glyph.ink)[0] - gap);
    }
  }
  for (const { box } of page.survey.obstacles) {
    // A drawing that begins behind the text: the rule or the ground of another cell, a sign.
    const [a, b, c, d] = place(box);
    const level = c - a > d - b;
    if (level && d - b <= 3) continue;
    if (a < x1 + 0.5 || d <= y0 + reach * 0.2 || b >= y1 - reach * 0.2 || a >= c) continue;
    right = Math.min(right, a);
  }
  const [top, bottom] = clearOf(page, place, [left, y0, right, y1]);
  const box: Box = [left, top, Math.max(right, left + 1), bottom];
  return { box: applyToBox(invert(map), box), direction };
}

/** Heights rounded outwards, but not over the letters of the lines above and below. */
function clearOf(page: Page, place: (box: Box) => Box, box: Box): [number, number] {
  let top = Math.floor(box[1]);
  let bottom = Math.ceil(box[3]);
  const height = box[3] - box[1];
  const middle = (box[1] + box[3]) / 2;
  for (const glyph of page.kept) {
    if (isBlank(glyph.code) || !glyph.visible) continue;
    const [x0, y0, x1, y1] = place(glyph.ink);
    if (x1 <= box[0] || x0 >= box[2] || y1 <= top || y0 >= bottom) continue;
    if ((y0 + y1) / 2 < middle) top = Math.min(Math.max(top, y1), box[1] + height * 0.3);
    else bottom = Math.max(Math.min(bottom, y0), box[3] - height * 0.3);
  }
  return [top, bottom];
}

/** Around something in a picture, by what is drawn around it and by text that lies over it. */
async function layOutPicture(
  page: Page,
  drawn: Box,
  direction: Quarter,
): Promise<Pick<Region, 'box' | 'direction'>> {
  const map = reading(page, direction);
  const place = (other: Box): Box => applyToBox(map, other);
  const box = place(drawn);
  const [, , width, height] = place([0, 0, page.width, page.height]);
  const [x0, top, x1, bottom] = inkAround(turned(await page.ink(), -direction), box, {
    width,
    height,
  });
  let [left, right] = [x0, x1];
  // Text that was recognised in the picture stays; it does not lie on what is drawn to the pixel.
  const overlap = heightOf(box) * 0.2;
  for (const glyph of page.kept) {
    const core = place(coreOf(glyph));
    if (isBlank(glyph.code) || share(core, [0, top, width, bottom]) < goingShare) continue;
    const cell = place(glyph.cell);
    const middle = (cell[0] + cell[2]) / 2;
    if (middle < box[0]) left = Math.max(left, Math.min(cell[2], box[0]));
    if (middle > box[2] - overlap) right = Math.min(right, Math.max(cell[0], box[2]));
  }
  return { box: applyToBox(invert(map), [left, top, right, bottom]), direction };
}

/** Outwards to the grid, within the page. */
function snap(box: Box, { width, height }: Page): Box {
  const out: Box = [
    Math.floor(box[0] / grid) * grid,
    Math.floor(box[1] / 2) * 2,
    Math.ceil(box[2] / grid) * grid,
    Math.ceil(box[3] / 2) * 2,
  ];
  return cut(out, [0, 0, width, height]) ?? grow(box, 1);
}

/**
 * What is painted for a region: its box, and what is planned as far as it stands out above or below,
 * along the whole box, since the plan's own ends would tell how long the hidden text is.
 */
export function paintedFor({ box, planned, direction }: Region): Box[] {
  const isLevel = direction % 180 === 0;
  const along = planned.map(
    ([x0, y0, x1, y1]): Box =>
      isLevel
        ? [Math.min(x0, box[0]), y0, Math.max(x1, box[2]), y1]
        : [x0, Math.min(y0, box[1]), x1, Math.max(y1, box[3])],
  );
  return [box, ...along];
}

/** Boxes that overlap on one line become one: where the second starts would tell of the first. */
function merge(regions: readonly Region[], page: Page): Region[] {
  const merged: Region[] = [];
  for (const region of [...regions].sort(byPlace)) {
    const same = merged.find((other) => {
      if (!touches(other.box, region.box) || other.direction !== region.direction) return false;
      const shared = cut(other.box, region.box);
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
    // Lines of two columns are seldom level: what is around both may lie on letters beside one.
    if (region.textOnly && region.planned.length > 1) region.box = cleared(page, region);
  }
  return merged;
}

function cleared(page: Page, { box, direction }: Region): Box {
  const map = reading(page, direction);
  const [x0, y0, x1, y1] = applyToBox(map, box);
  const [top, bottom] = clearOf(page, (other) => applyToBox(map, other), [x0, y0, x1, y1]);
  return applyToBox(invert(map), [x0, top, x1, bottom]);
}

function byPlace(a: Region, b: Region): number {
  const byRow = a.box[1] - b.box[1];
  if (Math.abs(byRow) > 0.01) return byRow;
  return a.box[0] - b.box[0] || (a.types[0] ?? '').localeCompare(b.types[0] ?? '');
}
