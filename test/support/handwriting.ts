import { PDFDocument, type PDFFont, rgb, StandardFonts } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { createPick } from './random.ts';
import { rasterOf } from './samples.ts';

/**
 * Letters as a pen draws them: the points of each stroke, in tenths of the height of an x, up from the
 * baseline, and the width of the letter.
 */
const letters: Readonly<Record<string, readonly [width: number, strokes: string]>> = {
  a: [11, '8,8 5,10 2,9 0,5 2,1 5,0 8,4 8,10 8,2 10,0'],
  b: [9, '0,17 0,2 3,0 7,2 8,6 6,10 3,10 0,6'],
  c: [9, '8,8 5,10 1,8 0,4 2,1 5,0 8,2'],
  d: [11, '8,7 5,10 2,9 0,5 2,1 5,0 8,4 8,17 8,2 10,0'],
  e: [9, '1,5 7,6 6,9 4,10 1,8 0,4 2,1 5,0 8,2'],
  f: [8, '7,16 5,17 3,14 3,0|0,10 6,10'],
  g: [10, '8,8 5,10 2,9 0,5 2,2 5,1 8,5 8,10 8,-4 5,-7 1,-5'],
  h: [9, '0,17 0,0 1,7 4,10 7,8 7,0'],
  i: [5, '1,10 1,1 3,0|1,13 2,14'],
  j: [6, '3,10 3,-4 1,-7 -1,-5|3,13 4,14'],
  k: [9, '0,17 0,0|7,10 1,5 8,0'],
  l: [5, '1,17 1,2 3,0'],
  m: [14, '0,10 0,0 1,7 4,10 6,8 6,0 7,7 10,10 12,8 12,0'],
  n: [9, '0,10 0,0 1,7 4,10 7,8 7,0'],
  o: [10, '5,10 1,8 0,5 2,1 5,0 8,3 8,7 5,10'],
  p: [10, '0,10 0,-7|0,7 3,10 7,9 8,5 6,1 3,0 0,3'],
  q: [10, '8,8 5,10 1,8 0,4 3,1 8,4 8,10 8,-7'],
  r: [8, '0,10 0,0 1,6 4,10 7,9'],
  s: [9, '7,9 4,10 1,8 3,6 7,4 7,1 4,0 0,2'],
  t: [8, '3,15 3,2 5,0 7,1|0,10 7,10'],
  u: [10, '0,10 0,3 2,0 6,2 7,10 7,1 9,0'],
  v: [9, '0,10 4,0 8,10'],
  w: [13, '0,10 3,0 6,8 9,0 12,10'],
  x: [9, '0,10 8,0|8,10 0,0'],
  y: [9, '0,10 1,4 4,2 8,10|8,10 6,-3 3,-7 0,-5'],
  z: [9, '0,10 8,10 0,0 8,0'],
  0: [10, '4,15 1,12 0,7 1,2 4,0 7,3 8,8 7,13 4,15'],
  1: [7, '0,11 4,15 4,0'],
  2: [10, '0,12 3,15 7,13 7,10 0,0 8,0'],
  3: [9, '0,13 4,15 7,12 3,8 7,5 6,1 3,0 0,2'],
  4: [10, '5,15 0,5 8,5|6,9 6,0'],
  5: [9, '7,15 1,15 0,8 4,9 7,6 6,1 3,0 0,1'],
  6: [9, '6,15 2,10 0,4 2,0 6,1 7,5 4,7 1,5'],
  7: [10, '0,15 8,15 3,0'],
  8: [10, '4,8 1,11 4,15 7,12 4,8 0,4 4,0 8,4 4,8'],
  9: [9, '7,11 4,15 1,12 2,8 6,9 7,13 6,0'],
  A: [11, '0,0 5,15 10,0|2,5 8,5'],
  B: [10, '0,0 0,15 6,14 7,11 5,8 0,8|5,8 8,5 6,1 0,0'],
  C: [10, '9,13 5,15 1,11 0,6 2,1 6,0 9,2'],
  D: [10, '0,0 0,15 5,14 8,9 7,3 3,0 0,0'],
  E: [9, '7,15 0,15 0,0 7,0|0,8 6,8'],
  F: [9, '7,15 0,15 0,0|0,8 6,8'],
  G: [11, '9,13 5,15 1,11 0,5 3,0 8,1 9,6 5,6'],
  H: [11, '0,15 0,0|9,15 9,0|0,8 9,8'],
  I: [4, '1,15 1,0'],
  J: [8, '6,15 6,3 3,0 0,2'],
  K: [10, '0,15 0,0|8,15 1,7 8,0'],
  L: [9, '0,15 0,0 7,0'],
  M: [14, '0,0 1,15 6,5 11,15 12,0'],
  N: [11, '0,0 0,15 9,0 9,15'],
  O: [12, '5,15 1,12 0,6 3,0 7,0 10,6 9,12 5,15'],
  P: [10, '0,0 0,15 6,14 8,11 5,7 0,7'],
  Q: [12, '5,15 1,12 0,6 3,0 7,0 10,6 9,12 5,15|6,4 10,-2'],
  R: [10, '0,0 0,15 6,14 8,11 5,8 0,8|4,8 9,0'],
  S: [9, '8,13 4,15 1,12 3,8 7,6 7,2 3,0 0,2'],
  T: [10, '0,15 9,15|4,15 4,0'],
  U: [10, '0,15 0,4 3,0 7,1 8,5 8,15'],
  V: [10, '0,15 4,0 9,15'],
  W: [14, '0,15 3,0 6,10 9,0 12,15'],
  X: [10, '0,15 9,0|9,15 0,0'],
  Y: [10, '0,15 4,8 9,15|4,8 4,0'],
  Z: [10, '0,15 8,15 0,0 8,0'],
  '@': [15, '9,6 7,9 4,8 4,4 7,3 9,9 9,4 12,4 13,8 11,13 6,14 1,11 0,5 3,-1 9,-3 13,-1'],
  '.': [4, '1,0 2,1'],
  '-': [8, '0,5 6,5'],
  ' ': [9, ''],
};

type Point = [x: number, y: number];

/** The looks of a handwriting. */
export interface Handwriting {
  /** The height of an x, in points. */
  size: number;
  /** Lean of the letters, as a share of their height. */
  slant: number;
  /** Maximum displacement of points, in heights of an x. */
  jitter: number;
  /** The width of the pen's line, in points. */
  pen: number;
  /** Whether letters are joined. */
  isJoined: boolean;
  /** How light the pen's line is, from 0 for black to 1 for white; dark blue by default. */
  tone?: number;
}

/** Something written or drawn on a sheet; positions are in points from its top left corner. */
export type Mark =
  | { kind: 'print'; text: string; at: Point; size?: number; bold?: boolean; font?: StandardFonts }
  | { kind: 'rule'; from: Point; to: Point; width?: number }
  | { kind: 'hand'; text: string; at: Point; hand: Handwriting }
  | { kind: 'signature'; at: Point; hand: Handwriting };

type Pick = (below: number) => number;

/** The strokes of a text in a hand, around the start of its baseline, with y down. */
function strokesOf(
  text: string,
  { size, slant, jitter, isJoined: joined }: Handwriting,
  pick: Pick,
): Point[][] {
  const randomOffset = (): number => ((pick(1000) - 500) / 500) * jitter;
  const strokes: Point[][] = [];
  let x = 0;
  for (const letter of text) {
    const [width, strokeText] = letters[letter] ?? letters[' ']!;
    const [tall, drift] = [1 + randomOffset() / 2, randomOffset() / 2];
    const letterStrokes = strokeText.split('|').flatMap((stroke): Point[][] => {
      if (stroke === '') return [];
      const points = stroke.split(' ').map((point): Point => {
        const [px = 0, py = 0] = point.split(',').map((value) => Number(value) / 10);
        const y = py * tall + drift + randomOffset() / 3;
        return [(x + px + randomOffset() / 3 + y * slant) * size, -y * size];
      });
      return [points];
    });
    const before = strokes.at(-1);
    const first = letterStrokes.shift();
    if (joined && before && first && /[a-z]/.test(letter)) before.push(...first);
    else if (first) strokes.push(first);
    // Crosses and dots come after the letter; the next one is joined to its first stroke.
    if (letterStrokes.length > 0)
      strokes.splice(Math.max(0, strokes.length - 1), 0, ...letterStrokes);
    x += (width / 10) * (1 + randomOffset() / 3);
  }
  return strokes;
}

/** A large letter, waves that flatten out, and a flourish. */
function signatureStrokes({ size, slant, jitter }: Handwriting, pick: Pick): Point[][] {
  const randomOffset = (): number => ((pick(1000) - 500) / 500) * (0.2 + jitter);
  const start: Point[] = [
    [0, -1],
    [0.6, 2.6],
    [1.2, 2.2],
    [0.5, -0.6],
    [-0.4, 0.2],
    [1.6, 1.1],
  ];
  const waves = Array.from({ length: 14 }, (_, at): Point => {
    const high = (at % 2 === 0 ? 0.05 : 1.1 + (at % 5 === 0 ? 0.9 : 0)) * (1 - at / 40);
    return [1.9 + at * 0.42, high];
  });
  const end: Point[] = [
    [8.4, 0.3],
    [9.6, 0.9],
    [5, -0.5],
    [1.5, -0.7],
  ];
  const points = [...start, ...waves, ...end].map(([x, y]): Point => {
    const [px, py] = [x + randomOffset(), y + randomOffset()];
    return [(px + py * slant) * size, -py * size];
  });
  return [points];
}

/** A smooth path through points, as SVG. */
function smoothPath(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))]!;
  let path = `M${at(0)
    .map((value) => value.toFixed(2))
    .join(' ')}`;
  for (let index = 0; index + 1 < points.length; index += 1) {
    const [a, b, c, d] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const first: Point = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6];
    const second: Point = [c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6];
    path += `C${[...first, ...second, ...c].map((value) => value.toFixed(2)).join(' ')}`;
  }
  return path;
}

/** A text in a hand as the path of an SVG, around the start of its baseline. */
export const handPath = (text: string, hand: Handwriting, pick: Pick): string =>
  strokesOf(text, hand, pick).map(smoothPath).join('');

/** A sheet with print and handwriting as grey pixels. */
export async function renderSheet(
  marks: readonly Mark[],
  { width = 595, height = 842, dpi = 150, seed = 1 } = {},
): Promise<Sharp> {
  const pick = createPick(seed);
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage([width, height]);
  const fonts = new Map<StandardFonts, PDFFont>();
  const fontOf = async (name: StandardFonts): Promise<PDFFont> => {
    const font = fonts.get(name) ?? (await document.embedFont(name));
    fonts.set(name, font);
    return font;
  };
  const ink = rgb(0.1, 0.12, 0.35);
  for (const mark of marks) {
    if (mark.kind === 'print') {
      const { text, at, size = 11 } = mark;
      const defaultFont = mark.bold ? StandardFonts.HelveticaBold : StandardFonts.Helvetica;
      const font = await fontOf(mark.font ?? defaultFont);
      page.drawText(text, { x: at[0], y: height - at[1], size, font });
    } else if (mark.kind === 'rule') {
      const [from, to] = [mark.from, mark.to].map(([x, y]) => ({ x, y: height - y }));
      page.drawLine({ start: from!, end: to!, thickness: mark.width ?? 0.8 });
    } else {
      const { at, hand } = mark;
      const strokes =
        mark.kind === 'hand' ? strokesOf(mark.text, hand, pick) : signatureStrokes(hand, pick);
      for (const points of strokes) {
        page.drawSvgPath(smoothPath(points), {
          x: at[0],
          y: height - at[1],
          borderWidth: hand.pen,
          borderColor: hand.tone === undefined ? ink : rgb(hand.tone, hand.tone, hand.tone),
          borderLineCap: 1,
        });
      }
    }
  }
  const { data, ...raw } = await rasterOf(Buffer.from(await document.save()), 1, dpi);
  return sharp(data, { raw }).greyscale();
}

/** The same as a photograph shows it: tilted, in half shadow, grainy, as JPEG. */
export async function photographSheet(
  sheet: Sharp,
  { tilt = 1.5, shadow = 0.5, grain = 6, quality = 80, seed = 1, dpi = 150 } = {},
): Promise<Buffer> {
  const pick = createPick(seed);
  const { data, info } = await sheet
    .rotate(tilt, { background: '#8a8279' })
    .blur(0.6)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const out = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const across = x / width + (0.4 * y) / height;
      const light = 1 - shadow / (1 + Math.exp((0.7 - across) * 14));
      const noise = (pick(2001) + pick(2001) - 2000) / 1000;
      const tone = (data[(y * width + x) * channels] ?? 0) * 0.94 * light + grain * noise;
      out[y * width + x] = Math.max(0, Math.min(255, Math.round(tone)));
    }
  }
  return sharp(out, { raw: { width, height, channels: 1 } })
    .withMetadata({ density: dpi })
    .jpeg({ quality })
    .toBuffer();
}

/** A row of cells with a letter each, as in a form; `at` is the left end of the baseline. */
export function combMarks(
  text: string,
  [x, y]: Point,
  {
    cells = text.length,
    cell = 18,
    width = 0.8,
    size = 11,
    hand = undefined as Handwriting | undefined,
  } = {},
): Mark[] {
  const [top, bottom, right] = [y - 16, y + 4, x + cell * cells];
  const rules: [from: Point, to: Point][] = [
    [
      [x, top],
      [right, top],
    ],
    [
      [x, bottom],
      [right, bottom],
    ],
    ...Array.from({ length: cells + 1 }, (_, at): [Point, Point] => [
      [x + at * cell, top],
      [x + at * cell, bottom],
    ]),
  ];
  const letters = [...text].map((letter, at): Mark => {
    const position: Point = [x + (at + 0.25) * cell, y];
    return hand
      ? { kind: 'hand', text: letter, at: position, hand }
      : { kind: 'print', text: letter, at: position, size };
  });
  return [...rules.map(([from, to]): Mark => ({ kind: 'rule', from, to, width })), ...letters];
}
