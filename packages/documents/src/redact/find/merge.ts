import type { Detector } from '@scriptorium/pii/finding';
import { isProse } from '@scriptorium/pii/resolve';
import { area, hull, quarter, sharedArea } from '../../geometry.ts';
import { boxesOf, lineOfWords, type Piece } from '../../model/boxes.ts';
import { cellOf } from '../../model/fragments.ts';
import { type PageModel, type PageText, pageText } from '../../model/index.ts';
import { otherReadings } from '../../model/page-text.ts';
import type { Box, Quarter } from '../../results.ts';
import type { PageReading, PlannedRemoval } from '../contract/plan.ts';
import { tokenPattern } from './spread.ts';

/**
 * A found value and its place. `units` are the UTF-16 units of its words in its own model, as
 * `word:unit`.
 */
export type FoundValue = PlannedRemoval & { model: PageModel; units: ReadonlySet<string> };

/** The model of a page with its text, and whether the text was recognised. */
export type Read = { model: PageModel; text: PageText; source: 'pdf' | 'ocr' };

export function readOf(model: PageModel, source: 'pdf' | 'ocr'): Read {
  return { model, text: pageText(model), source };
}

/** Runs the detector on the text of a page, and on its tables in each possible reading order. */
export function detect({ model, text, source }: Read, detector: Detector): FoundValue[] {
  const found: FoundValue[] = [];
  const lines = lineOfWords(model);
  const taken = new Set<string>();
  for (const reading of [{ ...text, joins: false }, ...otherReadings(model)]) {
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
      if ([...units].every((unit) => taken.has(unit))) continue;
      for (const unit of units) taken.add(unit);
      const { boxes, words } = reading.spansToBoxes(start, end);
      if (boxes.length === 0) continue;
      const exact = words.every((word) => model.words[word]?.glyphs);
      const value = reading.text.slice(start, end);
      const direction = directionOf(model, lines, words[0]);
      found.push({
        type,
        score,
        value,
        boxes,
        source: exact ? 'pdf' : 'ocr',
        ...(direction === 0 ? {} : { direction }),
        model,
        units,
      });
    }
  }
  return found;
}

/** Returns the direction of a word's line. */
function directionOf(
  model: PageModel,
  lines: ReadonlyMap<number, number>,
  word: number | undefined,
): Quarter {
  const line = model.lines[lines.get(word ?? -1) ?? -1];
  return quarter(line?.angle ?? 0);
}

/** Returns the share of a box that is within other boxes. */
function within(box: Box, others: readonly Box[]): number {
  const parts = others.reduce((sum, other) => sum + sharedArea(box, other), 0);
  return parts / Math.max(area(box), 1e-9);
}

/**
 * Merges the values found in another text of the same page. A value in a place that is already
 * removed is the same value, read twice: only its boxes are added.
 */
export function mergeFound(
  found: readonly FoundValue[],
  more: readonly FoundValue[],
): FoundValue[] {
  const all = found.map((one) => ({ ...one, boxes: [...one.boxes] }));
  for (const other of more) {
    const same = all.find(({ boxes }) => other.boxes.every((box) => within(box, boxes) > 0.6));
    if (!same) all.push({ ...other, boxes: [...other.boxes] });
    else same.boxes.push(...other.boxes.filter((box) => within(box, same.boxes) < 0.98));
  }
  return all;
}

/** Returns the point that represents the position of a UTF-16 unit of a word. */
function middleOf(model: PageModel, word: number, unit: number): [number, number] {
  const { glyphs, box } = model.words[word] ?? { glyphs: null, box: [0, 0, 0, 0] as Box };
  const glyph = glyphs?.[unit];
  const [x0, y0, x1, y1] = glyph ? cellOf(glyph) : box;
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

/** Returns a text with `[TYPE]` in place of everything that is in a removed place. */
export function redactText({ model, text }: Read, found: readonly FoundValue[]): string {
  const goes = (word: number, unit: number): number => {
    const own = found.findIndex((one) => one.model === model && one.units.has(`${word}:${unit}`));
    if (own >= 0) return own;
    const [x, y] = middleOf(model, word, unit);
    return found.findIndex(
      (one) =>
        one.model !== model &&
        one.boxes.some(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1),
    );
  };
  let out = '';
  let blank = '';
  let last = -1;
  for (let at = 0; at < text.text.length; at += 1) {
    const [piece] = text.pieces(at, at + 1);
    const letter = text.text[at] ?? '';
    if (!piece) {
      blank += letter;
      continue;
    }
    const now = goes(piece.word, piece.from);
    if (now < 0 || now !== last) {
      out += blank;
      out += now < 0 ? letter : `[${found[now]?.type ?? ''}]`;
    }
    blank = '';
    last = now;
  }
  return out + blank;
}

/** Converts a text to the form that is kept for searching, with the box of each word and number. */
export function readingOf({ model, text, source }: Read): PageReading {
  const lines = lineOfWords(model);
  const reading = placed(source, text.text, (start, end) =>
    boxesOf(model, text.pieces(start, end), lines),
  );
  const directions = [...text.text.matchAll(tokenPattern)].map(({ index }) =>
    directionOf(model, lines, text.pieces(index, index + 1)[0]?.word),
  );
  return directions.some((direction) => direction !== 0) ? { ...reading, directions } : reading;
}

/** Whether two texts have the same letters and digits in the same order. */
export function areInOneOrder(one: string, other: string): boolean {
  const letters = (some: string): string => some.replace(/[^\p{L}\p{N}]+/gu, '');
  return letters(one) === letters(other);
}

/**
 * Returns the page's own text in drawing order, which some readers use to extract text, regardless
 * of positions. Undefined if the text is already in this order.
 */
export function drawnReading({ model, text, source }: Read): PageReading | undefined {
  const units = model.words.flatMap(({ glyphs }, word) =>
    (glyphs ?? []).map((glyph, unit) => ({ word, unit, at: glyph.drawn })),
  );
  units.sort((a, b) => a.at - b.at);
  const pieces: (Piece | null)[] = [];
  let drawn = '';
  for (const { word, unit } of units) {
    const last = pieces.at(-1);
    if (last && (last.word !== word || last.to !== unit)) {
      drawn += ' ';
      pieces.push(null);
    }
    drawn += model.words[word]?.text.charAt(unit) ?? '';
    pieces.push({ word, from: unit, to: unit + 1 });
  }
  if (areInOneOrder(text.text, drawn)) return undefined;
  const lines = lineOfWords(model);
  return placed(source, drawn, (start, end) =>
    boxesOf(
      model,
      pieces.slice(start, end).filter((piece) => piece !== null),
      lines,
    ),
  );
}

function placed(
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
