/** Returns the text of each glyph of a TrueType or OpenType font program, from its `cmap` table. */
export function readGlyphTexts(program: Uint8Array): Map<number, string> {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const glyphs = new Map<number, string>();
  try {
    const table = tableAt(view, 'cmap');
    if (table === undefined) return glyphs;
    const count = Math.min(view.getUint16(table + 2), 32);
    for (let index = 0; index < count; index += 1) {
      const record = table + 4 + index * 8;
      readSubtable(view, table + view.getUint32(record + 4), glyphs);
    }
  } catch (error) {
    // A truncated table is read up to its end.
    if (!(error instanceof RangeError)) throw error;
  }
  return glyphs;
}

function tableAt(view: DataView, name: string): number | undefined {
  const count = view.getUint16(4);
  for (let index = 0; index < count; index += 1) {
    const record = 12 + index * 16;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((at) => view.getUint8(record + at)));
    if (tag === name) return view.getUint32(record + 8);
  }
  return undefined;
}

const maxCodes = 0x20000;

function readSubtable(view: DataView, at: number, glyphs: Map<number, string>): void {
  // Symbolic fonts map byte codes into the private use area.
  const add = (code: number, glyph: number): void => {
    const point = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
    if (glyph !== 0 && point <= 0x10ffff && !glyphs.has(glyph)) {
      glyphs.set(glyph, String.fromCodePoint(point));
    }
  };
  const format = view.getUint16(at);
  if (format === 0) {
    for (let code = 0; code < 256; code += 1) add(code, view.getUint8(at + 6 + code));
  } else if (format === 6) {
    const first = view.getUint16(at + 6);
    const count = view.getUint16(at + 8);
    for (let step = 0; step < count; step += 1)
      add(first + step, view.getUint16(at + 10 + step * 2));
  } else if (format === 12) {
    const groups = Math.min(view.getUint32(at + 12), 0x10000);
    for (let group = 0; group < groups; group += 1) {
      const [from, to, glyph] = [0, 4, 8].map((field) =>
        view.getUint32(at + 16 + group * 12 + field),
      );
      const count = Math.min((to ?? 0) - (from ?? 0) + 1, maxCodes);
      for (let step = 0; step < count; step += 1) add((from ?? 0) + step, (glyph ?? 0) + step);
    }
  } else if (format === 4) readSegments(view, at, add);
}

function readSegments(
  view: DataView,
  at: number,
  add: (code: number, glyph: number) => void,
): void {
  const segCountX2 = view.getUint16(at + 6);
  for (let segment = 0; segment < segCountX2; segment += 2) {
    const end = view.getUint16(at + 14 + segment);
    const start = view.getUint16(at + 16 + segCountX2 + segment);
    const delta = view.getUint16(at + 16 + 2 * segCountX2 + segment);
    const rangeAt = at + 16 + 3 * segCountX2 + segment;
    const range = view.getUint16(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      if (range === 0) add(code, (code + delta) & 0xffff);
      else {
        const glyph = view.getUint16(rangeAt + range + (code - start) * 2);
        if (glyph !== 0) add(code, (glyph + delta) & 0xffff);
      }
    }
  }
}
