import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A TrueType font read by hand: what embedding and drawing glyphs as paths needs. */
export interface TrueType {
  /** Units of the em square. */
  unitsPerEm: number;
  ascent: number;
  descent: number;
  box: [number, number, number, number];
  glyphOf(character: string): number;
  /** In thousandths of the size. */
  widthOf(character: string): number;
  /** The glyph's outline as PDF path operators, in units of the em. */
  pathOf(character: string): string;
  /** The font with the outlines of these characters only, glyph numbers as they were. */
  subset(characters: string, codes?: ReadonlyMap<number, number>): Buffer;
}

const folder = join(
  dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts',
);

const loaded = new Map<string, TrueType>();

/** Liberation Sans, as it comes with pdf.js. */
export function liberation(style: 'Regular' | 'Bold' | 'Italic' = 'Regular'): TrueType {
  const known = loaded.get(style);
  if (known) return known;
  const font = parse(readFileSync(join(folder, `LiberationSans-${style}.ttf`)));
  loaded.set(style, font);
  return font;
}

function parse(file: Buffer): TrueType {
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < file.readUInt16BE(4); index += 1) {
    const at = 12 + index * 16;
    const start = file.readUInt32BE(at + 8);
    const tag = file.toString('latin1', at, at + 4);
    tables.set(tag, file.subarray(start, start + file.readUInt32BE(at + 12)));
  }
  const table = (tag: string): Buffer => {
    const found = tables.get(tag);
    if (!found) throw new Error(`The font has no table ${tag}.`);
    return found;
  };
  const head = table('head');
  const unitsPerEm = head.readUInt16BE(18);
  const hasLongOffsets = head.readInt16BE(50) === 1;
  const loca = table('loca');
  const glyf = table('glyf');
  const hmtx = table('hmtx');
  const metrics = table('hhea').readUInt16BE(34);
  const glyphs = readCmap(table('cmap'));
  const offset = (glyph: number): number =>
    hasLongOffsets ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2;
  const outline = (glyph: number): Buffer => glyf.subarray(offset(glyph), offset(glyph + 1));
  const glyphOf = (character: string): number => glyphs.get(character.codePointAt(0) ?? 0) ?? 0;
  const advance = (glyph: number): number => hmtx.readUInt16BE(Math.min(glyph, metrics - 1) * 4);
  return {
    unitsPerEm,
    ascent: table('hhea').readInt16BE(4),
    descent: table('hhea').readInt16BE(6),
    box: [head.readInt16BE(36), head.readInt16BE(38), head.readInt16BE(40), head.readInt16BE(42)],
    glyphOf,
    widthOf: (character) => Math.round((advance(glyphOf(character)) / unitsPerEm) * 1000),
    pathOf: (character) => pathOf(outline, glyphOf(character), 0, 0),
    subset(characters, codes) {
      const subsetGlyphs = new Set<number>([0]);
      for (const character of characters) addGlyph(outline, glyphOf(character), subsetGlyphs);
      return build(tables, subsetGlyphs, outline, codes);
    },
  };
}

/** Unicode to glyph, from the subtable of format 4. */
function readCmap(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const sub = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    if (sub.readUInt16BE(0) !== 4) continue;
    const count = sub.readUInt16BE(6) / 2;
    for (let segment = 0; segment < count; segment += 1) {
      const end = sub.readUInt16BE(14 + segment * 2);
      const start = sub.readUInt16BE(16 + (count + segment) * 2);
      const delta = sub.readUInt16BE(16 + (2 * count + segment) * 2);
      const rangeAt = 16 + (3 * count + segment) * 2;
      const range = sub.readUInt16BE(rangeAt);
      for (let code = start; code <= end && code !== 0xffff; code += 1) {
        const glyph = range === 0 ? code : sub.readUInt16BE(rangeAt + range + (code - start) * 2);
        if (glyph !== 0) glyphs.set(code, (glyph + delta) & 0xffff);
      }
    }
  }
  return glyphs;
}

/** Flags of a composite glyph's parts. */
const wordArguments = 1;
const hasScale = 8;
const moreParts = 32;
const twoScales = 64;
const fourScales = 128;

function partsOf(glyph: Buffer): { glyph: number; dx: number; dy: number }[] {
  const parts: { glyph: number; dx: number; dy: number }[] = [];
  if (glyph.length === 0 || glyph.readInt16BE(0) >= 0) return parts;
  let at = 10;
  for (;;) {
    const flags = glyph.readUInt16BE(at);
    const hasWordArguments = (flags & wordArguments) !== 0;
    parts.push({
      glyph: glyph.readUInt16BE(at + 2),
      dx: hasWordArguments ? glyph.readInt16BE(at + 4) : glyph.readInt8(at + 4),
      dy: hasWordArguments ? glyph.readInt16BE(at + 6) : glyph.readInt8(at + 5),
    });
    at += hasWordArguments ? 8 : 6;
    if (flags & hasScale) at += 2;
    else if (flags & twoScales) at += 4;
    else if (flags & fourScales) at += 8;
    if (!(flags & moreParts)) return parts;
  }
}

function addGlyph(outline: (glyph: number) => Buffer, glyph: number, glyphs: Set<number>): void {
  if (glyphs.has(glyph)) return;
  glyphs.add(glyph);
  for (const part of partsOf(outline(glyph))) addGlyph(outline, part.glyph, glyphs);
}

function pathOf(outline: (glyph: number) => Buffer, glyph: number, dx: number, dy: number): string {
  const bytes = outline(glyph);
  if (bytes.length === 0) return '';
  const contours = bytes.readInt16BE(0);
  if (contours < 0) {
    return partsOf(bytes)
      .map((part) => pathOf(outline, part.glyph, dx + part.dx, dy + part.dy))
      .join('');
  }
  const ends = Array.from({ length: contours }, (_, index) => bytes.readUInt16BE(10 + index * 2));
  const count = (ends.at(-1) ?? -1) + 1;
  let at = 10 + contours * 2;
  at += 2 + bytes.readUInt16BE(at);
  const flags: number[] = [];
  while (flags.length < count) {
    const flag = bytes[at++] ?? 0;
    const times = flag & 8 ? (bytes[at++] ?? 0) + 1 : 1;
    for (let time = 0; time < times; time += 1) flags.push(flag);
  }
  const coordinates = (short: number, same: number, origin: number): number[] => {
    let value = origin;
    return flags.map((flag) => {
      if (flag & short) value += (flag & same ? 1 : -1) * (bytes[at++] ?? 0);
      else if (!(flag & same)) {
        value += bytes.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = coordinates(2, 16, dx);
  const ys = coordinates(4, 32, dy);
  let path = '';
  let first = 0;
  for (const end of ends) {
    const points = flags.slice(first, end + 1).map((flag, index) => ({
      on: (flag & 1) !== 0,
      x: xs[first + index] ?? 0,
      y: ys[first + index] ?? 0,
    }));
    path += contour(points);
    first = end + 1;
  }
  return path;
}

type Point = { on: boolean; x: number; y: number };

/** Quadratic curves of TrueType as the cubic ones of PDF. */
function contour(points: readonly Point[]): string {
  const start = points.findIndex(({ on }) => on);
  if (start < 0) return '';
  const ring = [...points.slice(start), ...points.slice(0, start)];
  const [origin] = ring;
  if (!origin) return '';
  let path = `${origin.x} ${origin.y} m\n`;
  let current = origin;
  let control: Point | null = null;
  const curve = (by: Point, to: Point): void => {
    const mix = (a: number, b: number): string => (a + (2 / 3) * (b - a)).toFixed(1);
    path += `${mix(current.x, by.x)} ${mix(current.y, by.y)} ${mix(to.x, by.x)} ${mix(to.y, by.y)} ${to.x} ${to.y} c\n`;
    current = to;
  };
  for (const point of [...ring.slice(1), origin]) {
    if (point.on) {
      if (control) curve(control, point);
      else path += `${point.x} ${point.y} l\n`;
      current = point;
      control = null;
    } else {
      if (control) {
        const between = { on: true, x: (control.x + point.x) / 2, y: (control.y + point.y) / 2 };
        curve(control, between);
      }
      control = point;
    }
  }
  return `${path}h\n`;
}

/** A font file of the tables that a PDF needs; `codes` (code to glyph) give it a symbol cmap (3, 0). */
function build(
  tables: Map<string, Buffer>,
  kept: ReadonlySet<number>,
  outline: (glyph: number) => Buffer,
  codes: ReadonlyMap<number, number> | undefined,
): Buffer {
  const count = tables.get('maxp')?.readUInt16BE(4) ?? 0;
  const loca = Buffer.alloc((count + 1) * 4);
  const glyf: Buffer[] = [];
  let length = 0;
  for (let glyph = 0; glyph < count; glyph += 1) {
    loca.writeUInt32BE(length, glyph * 4);
    if (!kept.has(glyph)) continue;
    const bytes = outline(glyph);
    const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
    bytes.copy(padded);
    glyf.push(padded);
    length += padded.length;
  }
  loca.writeUInt32BE(length, count * 4);
  const head = Buffer.from(tables.get('head') ?? Buffer.alloc(54));
  head.writeInt16BE(1, 50);
  const fontTables: [string, Buffer][] = [];
  if (codes) fontTables.push(['cmap', symbolCmap(codes)]);
  for (const tag of ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep']) {
    const tableBytes = { glyf: Buffer.concat(glyf), loca, head }[tag] ?? tables.get(tag);
    if (tableBytes) fontTables.push([tag, tableBytes]);
  }
  const directory = Buffer.alloc(12 + fontTables.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(fontTables.length, 4);
  let at = directory.length;
  const parts: Buffer[] = [directory];
  fontTables.forEach(([tag, bytes], index) => {
    directory.write(tag, 12 + index * 16, 'latin1');
    directory.writeUInt32BE(at, 12 + index * 16 + 8);
    directory.writeUInt32BE(bytes.length, 12 + index * 16 + 12);
    const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
    bytes.copy(padded);
    parts.push(padded);
    at += padded.length;
  });
  return Buffer.concat(parts);
}

/** A cmap of format 4 for (3, 0): 0xF000 + code to glyph. */
function symbolCmap(codes: ReadonlyMap<number, number>): Buffer {
  const entries = [...codes].map(([code, glyph]) => [0xf000 + code, glyph] as const);
  entries.sort(([a], [b]) => a - b);
  const segments = [...entries, [0xffff, 0] as const];
  const table = Buffer.alloc(12 + 16 + segments.length * 8);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4);
  table.writeUInt32BE(12, 8);
  const sub = table.subarray(12);
  sub.writeUInt16BE(4, 0);
  sub.writeUInt16BE(sub.length, 2);
  sub.writeUInt16BE(segments.length * 2, 6);
  segments.forEach(([code, glyph], index) => {
    sub.writeUInt16BE(code, 14 + index * 2);
    sub.writeUInt16BE(code, 16 + (segments.length + index) * 2);
    sub.writeUInt16BE((glyph - code) & 0xffff, 16 + (2 * segments.length + index) * 2);
  });
  return table;
}
