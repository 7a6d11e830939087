import { crc32 } from 'node:zlib';
import { LABELS, taggedTypes } from './labels.ts';

/**
 * The file of weights, little-endian:
 *
 *     0   8 bytes  `SCRPTAG` and the version, 2
 *     8   u32      CRC-32 of all that follows
 *     12  u32      labels, b: rows are 2^b
 *     16  u32      b
 *     20  u32      words in the gazetteer, n
 *     24  f32      what one step of a weight is worth
 *     28  u32      the types' names as CRC-32 of their list
 *     32  u32      different masks, m, at most 2^16
 *     36  8 bytes  zeros
 *     44  f32      transitions, [labels + 1][labels]; the last row begins a text
 *     …   i32      n hashes of words
 *     …   u32      m masks
 *     …   u16      n places in the list of masks
 *     …   i8       2^b rows of weights, one a label
 */
const MAGIC = Buffer.from('SCRPTAG\x02', 'latin1');
const HEADER = 44;

export interface TaggerWeights {
  /** The table has 2^`bits` rows of `LABELS` weights. */
  bits: number;
  /** The value of one step of a weight. */
  step: number;
  table: Int8Array;
  /** `[LABELS + 1][LABELS]`: from a label to the next; the last row is the start of a text. */
  transitions: Float32Array;
  hashes: Int32Array;
  masks: Uint32Array;
}

function namesCheck(): number {
  return crc32(taggedTypes.join(' '));
}

export function writeTaggerWeights(weights: TaggerWeights): Buffer {
  const { table, transitions, hashes, masks } = weights;
  const different = [...new Set(masks)];
  const placeOf = new Map(different.map((mask, at) => [mask, at]));
  const body = transitions.length * 4 + hashes.length * 6 + different.length * 4 + table.length;
  const file = Buffer.alloc(HEADER + body);
  MAGIC.copy(file);
  file.writeUInt32LE(LABELS, 12);
  file.writeUInt32LE(weights.bits, 16);
  file.writeUInt32LE(hashes.length, 20);
  file.writeFloatLE(weights.step, 24);
  file.writeUInt32LE(namesCheck(), 28);
  file.writeUInt32LE(different.length, 32);
  let at = HEADER;
  for (const value of transitions) at = file.writeFloatLE(value, at);
  for (const value of hashes) at = file.writeInt32LE(value, at);
  for (const value of different) at = file.writeUInt32LE(value, at);
  for (const value of masks) at = file.writeUInt16LE(placeOf.get(value)!, at);
  for (const value of table) at = file.writeInt8(value, at);
  file.writeUInt32LE(crc32(file.subarray(12)), 8);
  return file;
}

/**
 * Reads a file of `writeTaggerWeights`. Throws an `Error` if it is damaged or of another version.
 */
export function readTaggerWeights(file: Buffer): TaggerWeights {
  if (file.length < HEADER || !file.subarray(0, 8).equals(MAGIC)) {
    throw new Error("the tagger's weights are not a file of this version");
  }
  if (crc32(file.subarray(12)) !== file.readUInt32LE(8)) {
    throw new Error("the tagger's weights are damaged");
  }
  const bits = file.readUInt32LE(16);
  const words = file.readUInt32LE(20);
  const step = file.readFloatLE(24);
  const different = file.readUInt32LE(32);
  const steps = (LABELS + 1) * LABELS;
  const length = HEADER + steps * 4 + words * 6 + different * 4 + 2 ** bits * LABELS;
  const labels = file.readUInt32LE(12);
  if (labels !== LABELS || file.readUInt32LE(28) !== namesCheck() || file.length !== length) {
    throw new Error("the tagger's weights are for other labels");
  }
  let at = HEADER;
  const transitions = Float32Array.from({ length: steps }, (_, i) => file.readFloatLE(at + i * 4));
  at += steps * 4;
  const hashes = Int32Array.from({ length: words }, (_, i) => file.readInt32LE(at + i * 4));
  at += words * 4;
  const list = Uint32Array.from({ length: different }, (_, i) => file.readUInt32LE(at + i * 4));
  at += different * 4;
  const masks = Uint32Array.from({ length: words }, (_, i) => list[file.readUInt16LE(at + i * 2)]!);
  at += words * 2;
  const table = new Int8Array(file.subarray(at));
  return { bits, step, table, transitions, hashes, masks };
}
