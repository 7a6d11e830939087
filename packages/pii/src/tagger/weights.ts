import { crc32 } from 'node:zlib';
import { LABELS, taggedTypes } from './labels.ts';

/**
 * The format of the file of weights, little-endian:
 *
 *     0   8 bytes  `SCRPTAG` and the version, 3
 *     8   u32      CRC-32 of all following bytes
 *     12  u32      number of labels
 *     16  u32      b: the table has 2^b rows
 *     20  u32      n: number of words in the gazetteer
 *     24  f32      value of one step of a weight
 *     28  u32      CRC-32 of the list of the names of types
 *     32  u32      m: number of different masks, at most 2^16
 *     36  u32      number of bytes of the words of the gazetteer
 *     40  4 bytes  zeros
 *     44  f32      transitions, [labels + 1][labels]; the last row is the start of a text
 *     …   u32      m masks, those with the most words first
 *     …            n words, ordered by hash: the difference from the previous hash, and the index
 *                  in the list of masks, both in seven bits per byte, lowest bits first
 *     …   i8       2^b rows of weights, one per label
 */
const MAGIC = Buffer.from('SCRPTAG\x03', 'latin1');
const HEADER = 44;
/** A value below every hash. */
const LOWEST = -(2 ** 31);
const DAMAGED = "the tagger's weights are damaged";

export interface TaggerWeights {
  /** The table has 2^`bits` rows of `LABELS` weights each. */
  bits: number;
  /** The value of one step of a weight. */
  step: number;
  table: Int8Array;
  /**
   * `[LABELS + 1][LABELS]`: transitions from a label to the next label. The last row is the start
   * of a text.
   */
  transitions: Float32Array;
  hashes: Int32Array;
  masks: Uint32Array;
}

function namesCheck(): number {
  return crc32(taggedTypes.join(' '));
}

export function writeTaggerWeights(weights: TaggerWeights): Buffer {
  const { table, transitions, hashes, masks } = weights;
  const words = new Map<number, number>();
  for (const mask of masks) words.set(mask, (words.get(mask) ?? 0) + 1);
  const different = [...words.keys()].sort((a, b) => words.get(b)! - words.get(a)! || a - b);
  const list = packWords(hashes, masks, different);
  const body = transitions.length * 4 + different.length * 4 + list.length + table.length;
  const file = Buffer.alloc(HEADER + body);
  MAGIC.copy(file);
  file.writeUInt32LE(LABELS, 12);
  file.writeUInt32LE(weights.bits, 16);
  file.writeUInt32LE(hashes.length, 20);
  file.writeFloatLE(weights.step, 24);
  file.writeUInt32LE(namesCheck(), 28);
  file.writeUInt32LE(different.length, 32);
  file.writeUInt32LE(list.length, 36);
  let at = HEADER;
  for (const value of transitions) at = file.writeFloatLE(value, at);
  for (const value of different) at = file.writeUInt32LE(value, at);
  file.set(list, at);
  at += list.length;
  for (const value of table) at = file.writeInt8(value, at);
  file.writeUInt32LE(crc32(file.subarray(12)), 8);
  return file;
}

/** Packs the gazetteer's words, whose hashes are in ascending order. */
function packWords(hashes: Int32Array, masks: Uint32Array, different: readonly number[]): Buffer {
  const placeOf = new Map(different.map((mask, at) => [mask, at]));
  const packed: number[] = [];
  const put = (value: number): void => {
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
      packed.push(rest < 128 ? rest : (rest % 128) + 128);
      if (rest < 128) return;
    }
  };
  let last = LOWEST;
  for (const [at, hash] of hashes.entries()) {
    put(hash - last);
    put(placeOf.get(masks[at]!)!);
    last = hash;
  }
  return Buffer.from(packed);
}

/**
 * Reads the output of `packWords`.
 * @throws Error if it has a different number of words or bytes.
 */
function unpackWords(
  packed: Buffer,
  words: number,
  different: Uint32Array,
): Pick<TaggerWeights, 'hashes' | 'masks'> {
  const hashes = new Int32Array(words);
  const masks = new Uint32Array(words);
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = packed[at++];
      if (byte === undefined) throw new Error(DAMAGED);
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  let last = LOWEST;
  for (let word = 0; word < words; word++) {
    last += take();
    const mask = different[take()];
    if (mask === undefined) throw new Error(DAMAGED);
    hashes[word] = last;
    masks[word] = mask;
  }
  if (at !== packed.length) throw new Error(DAMAGED);
  return { hashes, masks };
}

/**
 * Reads a file that `writeTaggerWeights` wrote.
 * @throws Error if the file is damaged or has another version.
 */
export function readTaggerWeights(file: Buffer): TaggerWeights {
  if (file.length < HEADER || !file.subarray(0, 8).equals(MAGIC)) {
    throw new Error("the tagger's weights are not a file of this version");
  }
  if (crc32(file.subarray(12)) !== file.readUInt32LE(8)) {
    throw new Error(DAMAGED);
  }
  const bits = file.readUInt32LE(16);
  const words = file.readUInt32LE(20);
  const step = file.readFloatLE(24);
  const different = file.readUInt32LE(32);
  const packed = file.readUInt32LE(36);
  const steps = (LABELS + 1) * LABELS;
  const length = HEADER + steps * 4 + different * 4 + packed + 2 ** bits * LABELS;
  const labels = file.readUInt32LE(12);
  if (labels !== LABELS || file.readUInt32LE(28) !== namesCheck() || file.length !== length) {
    throw new Error("the tagger's weights are for other labels");
  }
  let at = HEADER;
  const transitions = Float32Array.from({ length: steps }, (_, i) => file.readFloatLE(at + i * 4));
  at += steps * 4;
  const list = Uint32Array.from({ length: different }, (_, i) => file.readUInt32LE(at + i * 4));
  at += different * 4;
  const { hashes, masks } = unpackWords(file.subarray(at, at + packed), words, list);
  at += packed;
  const table = new Int8Array(file.subarray(at));
  return { bits, step, table, transitions, hashes, masks };
}
