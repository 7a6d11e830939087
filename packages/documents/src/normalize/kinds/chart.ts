import type { Package } from '../../files/opc.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  parseXml,
  walk,
  type XmlElement,
  xmlText,
} from '../../files/xml.ts';
import type { Cell, DocBlock } from '../document.ts';
import { cellOf, type createBudget, origin, plainSpan, tooManyColumns } from './build-blocks.ts';

const maxSeries = 200;
const maxPoints = 20_000;

type Series = { name: string; categories: Map<number, string>; values: Map<number, string> };

/** Returns the chart that a drawing refers to, from its cached values; null without a chart. */
export function chartOf(
  source: Package,
  part: string,
  drawing: XmlElement,
  budget: ReturnType<typeof createBudget>,
  page = 1,
): DocBlock | null {
  const id = drawing.attributes.find(({ local, uri }) => local === 'id' && uri !== '')?.value;
  const relation = source.relationshipsOf(part).find((one) => one.id === id && !one.external);
  const bytes = relation && source.parts.get(relation.target);
  return bytes ? tableOf(parseXml(bytes), budget, page) : null;
}

/**
 * Returns a chart (ECMA-376 part 1, 21.2) as a table with a row for each category and a column for
 * each series. The chart's title is the caption.
 */
function tableOf(
  root: XmlElement,
  budget: ReturnType<typeof createBudget>,
  page: number,
): DocBlock | null {
  const chart = childOf(root, 'chart');
  const area = childOf(chart, 'plotArea');
  const found: Series[] = [];
  if (area)
    walk(area, (element) => void (element.local === 'ser' && found.push(readSeries(element))));
  const series = found.filter(({ values }) => values.size > 0);
  if (!chart || series.length === 0) return null;
  if (series.length > maxSeries) throw tooManyColumns(maxSeries);
  const pointIndexes = [...new Set(series.flatMap(({ values }) => [...values.keys()]))]
    .sort((a, b) => a - b)
    .slice(0, maxPoints);
  const nameOf = (pointIndex: number): string =>
    series.find(({ categories }) => categories.has(pointIndex))?.categories.get(pointIndex) ??
    String(pointIndex + 1);
  const cells: Cell[] = [];
  const add = (row: number, column: number, text: string): void => {
    budget.countCell();
    const position = { row, column, rowSpan: 1, columnSpan: 1, header: row === 0 };
    cells.push(cellOf(position, [plainSpan(text)]));
  };
  add(0, 0, axisTitle(area));
  series.forEach(({ name }, at) => {
    add(0, at + 1, name);
  });
  pointIndexes.forEach((pointIndex, at) => {
    add(at + 1, 0, nameOf(pointIndex));
    series.forEach(({ values }, column) => {
      add(at + 1, column + 1, values.get(pointIndex) ?? '');
    });
  });
  budget.countBlock();
  const title = childOf(chart, 'title');
  const caption = title ? titleText(title) : '';
  const axes = valueTitles(area);
  return {
    role: 'table',
    rows: pointIndexes.length + 1,
    columns: series.length + 1,
    cells,
    caption: [caption, axes && (caption ? `(${axes})` : axes)].filter(Boolean).join(' ') || null,
    ...origin(page),
  };
}

/** Returns the title of the category axis; empty without a title. */
function axisTitle(area: XmlElement | undefined): string {
  const axis = area && elementsOf(area).find(({ local }) => /^(cat|date)Ax$/.test(local));
  const title = childOf(axis, 'title');
  return title ? titleText(title) : '';
}

/** Returns the titles of the value axes, which often name the unit. */
function valueTitles(area: XmlElement | undefined): string {
  const axes = elementsOf(area).filter(({ local }) => local === 'valAx');
  const titles = axes.map((axis) => childOf(axis, 'title')).filter((title) => title !== undefined);
  return titles.map(titleText).filter(Boolean).join(', ');
}

/** Reads a series. Scatter and bubble charts have two numbers for each point. */
function readSeries(element: XmlElement): Series {
  const part = (...names: string[]): XmlElement | undefined =>
    names.map((name) => childOf(element, name)).find((one) => one !== undefined);
  const name = part('tx');
  const categories = part('cat', 'xVal');
  const values = part('val', 'yVal');
  return {
    name: name ? titleText(name) : '',
    categories: categories ? pointsOf(categories) : new Map(),
    values: values ? pointsOf(values) : new Map(),
  };
}

/** Returns the cached points by index. The levels of a category are joined, outermost first. */
function pointsOf(data: XmlElement): Map<number, string> {
  const points = new Map<number, string>();
  const levels: XmlElement[] = [];
  walk(data, (element) => void (element.local === 'lvl' && levels.push(element)));
  for (const level of levels.length > 0 ? levels : [data]) {
    const levelPoints = new Map<number, string>();
    walk(level, (element) => {
      if (element.local !== 'pt' || levelPoints.size >= maxPoints) return;
      const at = Number(attributeValue(element, 'idx'));
      const value = childOf(element, 'v');
      if (Number.isInteger(at) && at >= 0 && value)
        levelPoints.set(at, roundComputed(xmlText(value).trim()));
    });
    for (const [at, text] of levelPoints) {
      const inner = points.get(at);
      points.set(at, inner === undefined ? text : `${text}, ${inner}`);
    }
  }
  return points;
}

/** Removes rounding errors in the last digits of computed values. */
const roundComputed = (text: string): string =>
  /^-?\d+\.\d{7,}(?:e-?\d+)?$/i.test(text) ? String(Number(Number(text).toPrecision(12))) : text;

/** Returns the text of a title or a name, literal or cached. */
function titleText(element: XmlElement): string {
  const words: string[] = [];
  walk(element, (one) => {
    if (one.local === 't' || one.local === 'v') words.push(xmlText(one));
    else if (one.local === 'p' && words.length > 0) words.push(' ');
  });
  return words.join('').replace(/\s+/g, ' ').trim();
}
