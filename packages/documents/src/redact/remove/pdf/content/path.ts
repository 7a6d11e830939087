import { apply, grow, intersects, isInside, type Matrix, union } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';
import { type Operand, operandNumber } from './operands.ts';

/** A path under construction: its operators, and its shape as displayed. */
export class Path {
  readonly text: string[] = [];
  /** The bounding box of each subpath. */
  readonly subpaths: Box[] = [];
  /** End points of curves and slanting lines. The outlines of letters consist of these. */
  readonly slantedPoints: [number, number][] = [];
  #pen: [number, number] = [0, 0];

  /** Adds a construction operator (PDF 32000-1 §8.5.2). */
  add(name: string, operands: readonly Operand[], toDisplay: Matrix): void {
    this.text.push(`${operands.map(({ text }) => text).join(' ')} ${name}\n`);
    const values = operands.map(operandNumber);
    if (name === 're') {
      const [x = 0, y = 0, width = 0, height = 0] = values;
      const corners = [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ].map(([a = 0, b = 0]) => apply(toDisplay, a, b));
      for (const [index, corner] of corners.entries()) this.addPoint(corner, index === 0, true);
      return;
    }
    for (let at = 0; at + 1 < values.length; at += 2) {
      const point = apply(toDisplay, values[at] ?? 0, values[at + 1] ?? 0);
      this.addPoint(point, name === 'm', name === 'm' || name === 'l');
    }
  }

  addPoint(point: [number, number], isStart: boolean, isStraight: boolean): void {
    const box: Box = [...point, ...point];
    const last = this.subpaths.at(-1);
    if (isStart || !last) this.subpaths.push(box);
    else this.subpaths[this.subpaths.length - 1] = union(last, box);
    const [x, y] = this.#pen;
    const isSlanted = Math.abs(point[0] - x) > 0.05 && Math.abs(point[1] - y) > 0.05;
    if (!isStart && (!isStraight || isSlanted)) this.slantedPoints.push(point);
    this.#pen = point;
  }

  get isEmpty(): boolean {
    return this.text.length === 0;
  }

  get box(): Box {
    return this.subpaths.reduce(union, [Infinity, Infinity, -Infinity, -Infinity]);
  }
}

/** Maximum thickness of a rule that underlines a word, in points. */
const maxRuleThickness = 2.5;

/**
 * Whether a path may be removed together with the content of an area. This is the case if the path
 * is inside the area, where it would be invisible, or if it is a rule whose length would reveal the
 * length of the word above it.
 */
export function isRemovedWith(path: Path, area: Box): boolean {
  const { box } = path;
  if (isInside(box, grow(area, 1))) return true;
  const height = area[3] - area[1];
  const isRule = box[3] - box[1] <= maxRuleThickness;
  return isRule && isInside(box, [area[0] - 1, area[1], area[2] + 1, area[3] + height * 0.3]);
}

/**
 * Maximum number of subpaths inside an area that are too few to draw its hidden text. A single
 * subpath may be a frame.
 */
const maxSubpathsInside = 2;

/** Whether part of a path may draw letters that are hidden by an area. */
export function mayDrawHiddenLetters(path: Path, area: Box): boolean {
  const inner = grow(area, -0.5);
  const isInsideArea = ([x, y]: [number, number]): boolean =>
    x > inner[0] && x < inner[2] && y > inner[1] && y < inner[3];
  if (path.slantedPoints.some(isInsideArea)) return true;
  let subpathCount = 0;
  for (const part of path.subpaths) {
    if (intersects(part, area) && isInside(part, grow(area, 0.5))) subpathCount += 1;
  }
  return subpathCount > maxSubpathsInside;
}
