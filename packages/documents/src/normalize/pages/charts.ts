import { applyToBox, area, sharedArea } from '../../geometry.ts';
import type { LevelPage } from '../../model/words/level-page.ts';
import type { PageWord } from '../../model/words/word.ts';
import type { PageShapes } from '../../pdf/page-shapes.ts';
import type { Box } from '../../results.ts';
import type { FoundTable } from './tables/index.ts';

/** The shapes of a page that distinguish charts from tables, on the level page. */
export type ChartShapes = {
  /** The areas of drawings. */
  drawings: readonly Box[];
  /** Small shapes, such as the squares and strokes of a legend. */
  swatches: readonly Box[];
};

/** The maximum sides of the sign beside an entry of a legend, in points. Strokes are wider. */
const maxSwatch = { width: 32, height: 16 };
/** The maximum number of small shapes. A page with more contains a drawing. */
const maxSwatches = 2_000;
/** The maximum distance of a sign from its entry, in font sizes. */
const maxGap = 1.2;
/** The minimum number of entries of a legend, and their minimum share of a column. */
const [minEntries, minEntryShare] = [3, 0.75];
/** The minimum share of a grid in a drawing. */
const minShareInDrawing = 0.9;

/** Returns the shapes of a page that are as small as the signs of a legend. */
export function swatchesOf({ toLevel }: LevelPage, shapes: PageShapes): Box[] {
  const boxes = shapes.paths
    .map(({ box }) => (toLevel ? applyToBox(toLevel, box) : box))
    .filter(([x0, y0, x1, y1]) => {
      const [width, height] = [x1 - x0, y1 - y0];
      return width > 2 && width <= maxSwatch.width && height <= maxSwatch.height;
    });
  return boxes.length > maxSwatches ? [] : boxes;
}

/** Whether a word has the sign of a legend on its left. */
const hasSwatch = ({ box, base, size }: PageWord, swatches: readonly Box[]): boolean =>
  swatches.some(([, y0, x1, y1]) => {
    const middle = (y0 + y1) / 2;
    const gap = box[0] - x1;
    return middle > base - 0.8 * size && middle < base && gap > 0 && gap < maxGap * size;
  });

/**
 * Whether a table is the legend of a chart, with the labels beside it: without a head, and with a
 * drawn sign before each entry of a column.
 */
function isLegend(
  { foundBy, headerRows, columns, cells }: FoundTable,
  words: readonly PageWord[],
  swatches: readonly Box[],
): boolean {
  if (foundBy !== 'alignment' || headerRows > 0 || swatches.length < minEntries) return false;
  return Array.from({ length: columns }, (_, at) => at).some((at) => {
    const entries = cells.filter(({ column, words: own }) => column === at && own.length > 0);
    const marked = entries.filter(({ words: [first = -1] }) => {
      const word = words[first];
      return word !== undefined && hasSwatch(word, swatches);
    });
    return marked.length >= minEntries && marked.length >= minEntryShare * entries.length;
  });
}

/** Whether two columns of text are the labels of a drawing, such as a graph between its axes. */
function isGraph({ columns, box }: FoundTable, drawings: readonly Box[]): boolean {
  if (columns > 2) return false;
  return drawings.some((drawing) => sharedArea(drawing, box) > minShareInDrawing * area(box));
}

/** Whether a table consists of the labels of a chart. */
export const isChart = (
  table: FoundTable,
  words: readonly PageWord[],
  { drawings, swatches }: ChartShapes,
): boolean => isGraph(table, drawings) || isLegend(table, words, swatches);
