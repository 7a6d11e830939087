import { deflateSync } from 'node:zlib';
import type { Grey } from '../../../test/support/corpus/pictures.ts';
import { png, pngChunk, withChunks } from '../../../test/support/pictures.ts';

/** Rows without a filter, deflated. */
export function deflateRows({ data, width, height }: Grey): Buffer {
  const out = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1) {
    data.copy(out, row * (width + 1) + 1, row * width, (row + 1) * width);
  }
  return deflateSync(out);
}

/** Letters as the first palette entry and paper as the second. */
export function encodePaletted(grey: Grey, colours: Buffer, alphas: Buffer): Buffer {
  const data = Buffer.from(grey.data.map((value) => (value < 128 ? 0 : 1)));
  return png({ ...grey, colours: 3 }, deflateRows({ ...grey, data }), [
    ['PLTE', colours],
    ['tRNS', alphas],
  ]);
}

function frameControl(sequence: number, { width, height }: Grey): Buffer {
  const body = Buffer.alloc(26);
  body.writeUInt32BE(sequence, 0);
  body.writeUInt32BE(width, 4);
  body.writeUInt32BE(height, 8);
  // One second.
  body.writeUInt16BE(1, 20);
  body.writeUInt16BE(1, 22);
  return pngChunk('fcTL', body);
}

/**
 * An animation of two frames; with `isApart`, the first is not part of it and is shown by programs
 * without animations.
 */
export function encodeAnimated(first: Grey, second: Grey, isFirstSeparate: boolean): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(isFirstSeparate ? 1 : 2, 0);
  const still = png(first, deflateRows(first));
  const start = withChunks(
    still,
    pngChunk('acTL', control),
    ...(isFirstSeparate ? [] : [frameControl(0, first)]),
  );
  const sequence = isFirstSeparate ? 0 : 1;
  const data = Buffer.concat([Buffer.alloc(4), deflateRows(second)]);
  data.writeUInt32BE(sequence + 1, 0);
  const end = start.length - 12;
  return Buffer.concat([
    start.subarray(0, end),
    frameControl(sequence, second),
    pngChunk('fdAT', data),
    start.subarray(end),
  ]);
}
