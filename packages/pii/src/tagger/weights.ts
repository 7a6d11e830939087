import { crc32 } from 'node:zlib';
import { type Layout, rowsOf } from './features.ts';
import { LABELS, taggedTypes } from './labels.ts';
import { Reader, Writer } from './packed.ts';

/**
 * The format of the file of weights: `SCRPTAG` and the version, 4; the CRC-32 of all that follows;
 * then, all little-endian and with lengths before lists (`packed.ts`):
 *
 *     the CRC-32 of the names of types, and the widths of the model
 *     transitions
 *     the gazetteer: masks, those with the most words first; hashes; the mask of each hash
 *     the hashes of the words with a row of their own
 *     the hashes of the words with a vector; their vectors, four bits a number
 *     the table of embeddings, one scale a column
 *     the matrices, one scale an output, and their biases
 */
const MAGIC = Buffer.from('SCRPTAG\x04', 'latin1');
const HEADER = 12;
const DAMAGED = "the tagger's weights are damaged";

/** The widths of the vectors of words, of embeddings and of hidden layers; multiples of 8. */
export interface Widths {
  vector: number;
  embedding: number;
  hidden: number;
}

/** Small integers, with the value of one step in each column. */
export interface Table {
  values: Int8Array;
  scales: Float32Array;
}

/** A layer: `outputs` sums over the inputs of the token and, except in the last, its neighbours. */
interface Matrix extends Table {
  /** In rows, one for each input. */
  values: Int8Array;
  bias: Float32Array;
}

export interface TaggerWeights {
  layout: Layout;
  widths: Widths;
  /** The distance of the neighbours that each layer reads; 0 for the last. */
  distances: number[];
  /**
   * `[LABELS + 1][LABELS]`: transitions from a label to the next label. The last row is the start
   * of a text.
   */
  transitions: Float32Array;
  /** The gazetteer: words, by hash, and the lists that have them. */
  hashes: Int32Array;
  masks: Uint32Array;
  /** Words with a row of their own, in the order of the rows. */
  words: Int32Array;
  /** Words with a vector, in the order of the vectors, and numbers from −8 to 7. */
  vectorWords: Int32Array;
  vectors: Int8Array;
  /** `[rows][embedding]`. */
  table: Table;
  /** From the vector of a word to an embedding. */
  projection: Table;
  layers: Matrix[];
}

const namesCheck = (): number => crc32(taggedTypes.join(' '));

/** The inputs and outputs of each layer. The last has a multiple of 8 outputs. */
export function sizesOf({ embedding, hidden }: Widths, layers: number): [number, number][] {
  return Array.from({ length: layers }, (_, at) => {
    if (at === layers - 1) return [hidden, Math.ceil(LABELS / 8) * 8];
    return [3 * (at === 0 ? embedding : hidden), hidden];
  });
}

export function writeTaggerWeights(weights: TaggerWeights): Buffer {
  const { layout, widths, hashes, masks } = weights;
  const writer = new Writer();
  writer.number(namesCheck());
  for (const value of [layout.words, layout.kinds, layout.parts]) writer.number(value);
  for (const value of [widths.vector, widths.embedding, widths.hidden]) writer.number(value);
  writer.bytes(Uint8Array.from(weights.distances));
  writer.floats(weights.transitions);
  const words = new Map<number, number>();
  for (const mask of masks) words.set(mask, (words.get(mask) ?? 0) + 1);
  const different = [...words.keys()].sort((a, b) => words.get(b)! - words.get(a)! || a - b);
  const placeOf = new Map(different.map((mask, at) => [mask, at]));
  writer.varying(different);
  writer.ascending(hashes);
  writer.varying(Array.from(masks, (mask) => placeOf.get(mask)!));
  writer.ascending(weights.words);
  writer.ascending(weights.vectorWords);
  writer.bytes(halves(weights.vectors));
  writeTable(writer, weights.table);
  writeTable(writer, weights.projection);
  for (const layer of weights.layers) {
    writeTable(writer, layer);
    writer.floats(layer.bias);
  }
  const body = writer.take();
  const header = Buffer.alloc(HEADER);
  MAGIC.copy(header);
  header.writeUInt32LE(crc32(body), 8);
  return Buffer.concat([header, body]);
}

function writeTable(writer: Writer, { values, scales }: Table): void {
  writer.floats(scales);
  writer.bytes(new Uint8Array(values.buffer, values.byteOffset, values.length));
}

/** Packs two numbers from −8 to 7 into a byte. */
function halves(values: Int8Array): Uint8Array {
  return Uint8Array.from(
    { length: values.length / 2 },
    (_, at) => (values[2 * at]! + 8) | ((values[2 * at + 1]! + 8) << 4),
  );
}

function wholes(packed: Uint8Array): Int8Array {
  const values = new Int8Array(packed.length * 2);
  for (const [at, byte] of packed.entries()) {
    values[2 * at] = (byte & 15) - 8;
    values[2 * at + 1] = (byte >> 4) - 8;
  }
  return values;
}

/**
 * Reads a file that `writeTaggerWeights` wrote.
 * @throws Error if the file is damaged or has another version.
 */
export function readTaggerWeights(file: Buffer): TaggerWeights {
  if (file.length < HEADER || !file.subarray(0, 8).equals(MAGIC)) {
    throw new Error("the tagger's weights are not a file of this version");
  }
  const body = file.subarray(HEADER);
  if (crc32(body) !== file.readUInt32LE(8)) throw new Error(DAMAGED);
  const reader = new Reader(body, DAMAGED);
  if (reader.number() !== namesCheck())
    throw new Error("the tagger's weights are for other labels");
  const layout = { words: reader.number(), kinds: reader.number(), parts: reader.number() };
  const widths = { vector: reader.number(), embedding: reader.number(), hidden: reader.number() };
  const distances = [...reader.bytes()];
  const transitions = reader.floats((LABELS + 1) * LABELS);
  const different = reader.varying();
  const hashes = reader.ascending();
  const masks = Uint32Array.from(reader.varying(), (place) => different[place] ?? 0);
  const words = reader.ascending();
  const vectorWords = reader.ascending();
  const vectors = wholes(reader.bytes(vectorWords.length * (widths.vector / 2)));
  const table = readTable(reader, rowsOf(layout), widths.embedding);
  const projection = readTable(reader, widths.vector, widths.embedding);
  const layers = sizesOf(widths, distances.length).map(([inputs, outputs]) => ({
    ...readTable(reader, inputs, outputs),
    bias: reader.floats(outputs),
  }));
  reader.end();
  if (words.length !== layout.words || masks.length !== hashes.length || masks.includes(0))
    throw new Error(DAMAGED);
  return {
    layout,
    widths,
    distances,
    transitions,
    hashes,
    masks,
    words,
    vectorWords,
    vectors,
    table,
    projection,
    layers,
  };
}

function readTable(reader: Reader, rows: number, columns: number): Table {
  const scales = reader.floats(columns);
  const values = Int8Array.from(reader.bytes(rows * columns), (byte) => (byte << 24) >> 24);
  return { values, scales };
}
