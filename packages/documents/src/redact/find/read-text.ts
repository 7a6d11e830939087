import type { Detector } from '@scriptorium/pii/finding';
import { isProse } from '@scriptorium/pii/resolve';
import { area, hull, nearestQuarter, sharedArea } from '../../geometry.ts';
import { boxesOf, lineByWord, type Piece } from '../../model/boxes.ts';
import { cellOf } from '../../model/fragments.ts';
import { type MappedText, type PageModel, readPageText } from '../../model/index.ts';
import { alternativeReadings } from '../../model/page-text.ts';
import type { Box, Quarter } from '../../results.ts';
import type { PageReading, PlannedRemoval } from '../contract/plan.ts';
import { tokenPattern } from './spread.ts';

/**
 * A found value and its place. `units` are the UTF-16 units of its words in its model, as
 * `word:unit`.
 */
export type LocatedValue = PlannedRemoval & { model: PageModel; units: ReadonlySet<string> };

/** The model of a page with its text, and whether the text was recognised. */
export type ReadText = { model: PageModel; text: MappedText; source: 'pdf' | 'ocr' };

export function toReadText(model: PageModel, source: 'pdf' | 'ocr'): ReadText {
  return { model, text: readPageText(model), source };
}

/** Runs the detector on the text of a page, and on its tables in each possible reading order. */
export function detect({ model, text, source }: ReadText, detector: Detector): LocatedValue[] {
  const values: LocatedValue[] = [];
  const lines = lineByWord(model);
  const foundUnits = new Set<string>();
  for (const reading of [{ ...text, joins: false }, ...alternativeReadings(model)]) {
    for (const { type, start, end, score } of detector(reading.text, {
      recognised: source === 'ocr',
    })) {
      if (reading.joins && isProse({ type })) continue;
      const units = new Set(
        reading
          .pieces(start, end)
          .flatMap(({ word, from, to }) =>
            Array.from({ length: to - from }, (_, at) => `${word}:${from + at}`),
          ),
      );
      if ([...units].every((unit) => foundUnits.has(unit))) continue;
      for (const unit of units) foundUnits.add(unit);
      const { boxes, words } = reading.locateSpan(start, end);
      if (boxes.length === 0) continue;
      const hasGlyphs = words.every((word) => model.words[word]?.glyphs);
      const value = reading.text.slice(start, end);
      const direction = directionOf(model, lines, words[0]);
      values.push({
        type,
        score,
        value,
        boxes,
        source: hasGlyphs ? 'pdf' : 'ocr',
        ...(direction === 0 ? {} : { direction }),
        model,
        units,
      });
    }
  }
  return values;
}

/** Returns the direction of a word's line. */
function directionOf(
  model: PageModel,
  lines: ReadonlyMap<number, number>,
  word: number | undefined,
): Quarter {
  const line = model.lines[lines.get(word ?? -1) ?? -1];
  return nearestQuarter(line?.angle ?? 0);
}

/** Returns the share of a box that is within other boxes. */
function shareWithin(box: Box, others: readonly Box[]): number {
  const parts = others.reduce((sum, other) => sum + sharedArea(box, other), 0);
  return parts / Math.max(area(box), 1e-9);
}

/**
 * Merges the values found in another text of the same page. A value in a place that is already
 * removed is the same value, read twice: only its boxes are added.
 */
export function mergeFound(
  found: readonly LocatedValue[],
  more: readonly LocatedValue[],
): LocatedValue[] {
  const all = found.map((one) => ({ ...one, boxes: [...one.boxes] }));
  for (const other of more) {
    const existing = all.find(({ boxes }) =>
      other.boxes.every((box) => shareWithin(box, boxes) > 0.6),
    );
    if (!existing) all.push({ ...other, boxes: [...other.boxes] });
    else
      existing.boxes.push(...other.boxes.filter((box) => shareWithin(box, existing.boxes) < 0.98));
  }
  return all;
}

/** Returns the point that represents the position of a UTF-16 unit of a word. */
function centreOf(model: PageModel, word: number, unit: number): [number, number] {
  const { glyphs, box } = model.words[word] ?? { glyphs: null, box: [0, 0, 0, 0] as Box };
  const glyph = glyphs?.[unit];
  const [x0, y0, x1, y1] = glyph ? cellOf(glyph) : box;
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

/** Returns a text with `[TYPE]` in place of all removed text. */
export function redactText({ model, text }: ReadText, found: readonly LocatedValue[]): string {
  /** The first value that contains a unit of this model. */
  const ownByUnit = new Map<string, number>();
  const others: { boxes: readonly Box[]; index: number }[] = [];
  found.forEach((one, index) => {
    if (one.model !== model) others.push({ boxes: one.boxes, index });
    else for (const unit of one.units) if (!ownByUnit.has(unit)) ownByUnit.set(unit, index);
  });
  const removalAt = (word: number, unit: number): number => {
    const own = ownByUnit.size > 0 ? ownByUnit.get(`${word}:${unit}`) : undefined;
    if (own !== undefined || others.length === 0) return own ?? -1;
    const [x, y] = centreOf(model, word, unit);
    const other = others.find(({ boxes }) =>
      boxes.some(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1),
    );
    return other?.index ?? -1;
  };
  let out = '';
  let pendingSpace = '';
  let previous = -1;
  for (let at = 0; at < text.text.length; at += 1) {
    const [piece] = text.pieces(at, at + 1);
    const letter = text.text[at] ?? '';
    if (!piece) {
      pendingSpace += letter;
      continue;
    }
    const current = removalAt(piece.word, piece.from);
    if (current < 0 || current !== previous) {
      out += pendingSpace;
      out += current < 0 ? letter : `[${found[current]?.type ?? ''}]`;
    }
    pendingSpace = '';
    previous = current;
  }
  return out + pendingSpace;
}

/** Converts a text to the form that is kept for searching, with the box of each word and number. */
export function readingOf({ model, text, source }: ReadText): PageReading {
  const lines = lineByWord(model);
  const reading = packReading(source, text.text, (start, end) =>
    boxesOf(model, text.pieces(start, end), lines),
  );
  const directions = [...text.text.matchAll(tokenPattern)].map(({ index }) =>
    directionOf(model, lines, text.pieces(index, index + 1)[0]?.word),
  );
  return directions.some((direction) => direction !== 0) ? { ...reading, directions } : reading;
}

/** Whether two texts have the same letters and digits in the same order. */
export function haveSameOrder(one: string, other: string): boolean {
  const letters = (some: string): string => some.replace(/[^\p{L}\p{N}]+/gu, '');
  return letters(one) === letters(other);
}

/**
 * Returns the page's own text in drawing order, which some readers use to extract text, regardless
 * of positions. Undefined if the text is already in this order.
 */
export function readingInDrawingOrder({ model, text, source }: ReadText): PageReading | undefined {
  const units = model.words.flatMap(({ glyphs }, word) =>
    (glyphs ?? []).map((glyph, unit) => ({ word, unit, at: glyph.drawn })),
  );
  units.sort((a, b) => a.at - b.at);
  const pieces: (Piece | null)[] = [];
  let drawnText = '';
  for (const { word, unit } of units) {
    const last = pieces.at(-1);
    if (last && (last.word !== word || last.to !== unit)) {
      drawnText += ' ';
      pieces.push(null);
    }
    drawnText += model.words[word]?.text.charAt(unit) ?? '';
    pieces.push({ word, from: unit, to: unit + 1 });
  }
  if (haveSameOrder(text.text, drawnText)) return undefined;
  const lines = lineByWord(model);
  return packReading(source, drawnText, (start, end) =>
    boxesOf(
      model,
      pieces.slice(start, end).filter((piece) => piece !== null),
      lines,
    ),
  );
}

function packReading(
  source: PageReading['source'],
  text: string,
  boxesAt: (start: number, end: number) => Box[],
): PageReading {
  const boxes: number[] = [];
  for (const { index, 0: token } of text.matchAll(tokenPattern)) {
    const box = hull(boxesAt(index, index + token.length)) ?? [0, 0, 0, 0];
    boxes.push(...box.map((side) => Math.round(side * 100)));
  }
  return { source, text, boxes };
}
