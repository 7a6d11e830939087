import { crc32 } from 'node:zlib';
import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import { featureNames, featureVersion, hashedRows } from './features/features.ts';

/**
 * The format of the file of weights, little-endian:
 *
 *     0   8 bytes  `SCRPKIND`
 *     8   u32      CRC-32 of all following bytes
 *     12  u32      CRC-32 of the names of the labels
 *     16  u32      version of the features
 *     20  f32      temperature: scores are the softmax of sums divided by the temperature
 *     24  f32      value of one step of a hashed weight
 *     28  f32      value of one step of a named weight
 *     32  f32      biases, one per label
 *     …   i16      rows of named weights, one per label
 *     …   i8       rows of hashed weights, one per label
 */
const MAGIC = Buffer.from('SCRPKIND', 'latin1');
const HEADER = 32;
const LABELS = documentLabelNames.length;
const labelsCheck = crc32(documentLabelNames.join(' '));
const LENGTH = HEADER + LABELS * 4 + featureNames.length * LABELS * 2 + hashedRows * LABELS;

export type Weights = {
  temperature: number;
  biases: Float64Array;
  /** `[feature][label]`. */
  named: Float64Array;
  /** `[row][label]`. */
  hashed: Float64Array;
};

const stepOf = (values: Float64Array, steps: number): number =>
  values.reduce((max, value) => Math.max(max, Math.abs(value)), 1e-9) / steps;

export function writeWeights(weights: Weights): Buffer {
  const file = Buffer.alloc(LENGTH);
  const namedStep = Math.fround(stepOf(weights.named, 32_767) * 1.0001);
  const hashedStep = Math.fround(stepOf(weights.hashed, 127) * 1.0001);
  MAGIC.copy(file);
  file.writeUInt32LE(labelsCheck, 12);
  file.writeUInt32LE(featureVersion, 16);
  file.writeFloatLE(weights.temperature, 20);
  file.writeFloatLE(hashedStep, 24);
  file.writeFloatLE(namedStep, 28);
  let at = HEADER;
  for (const value of weights.biases) at = file.writeFloatLE(value, at);
  for (const value of weights.named) at = file.writeInt16LE(Math.round(value / namedStep), at);
  for (const value of weights.hashed) at = file.writeInt8(Math.round(value / hashedStep), at);
  file.writeUInt32LE(crc32(file.subarray(12)), 8);
  return file;
}

/**
 * Reads a file that `writeWeights` wrote.
 * @throws Error if the file is damaged, or was made for other features or labels.
 */
export function readWeights(file: Buffer): Weights {
  if (file.length < HEADER || !file.subarray(0, 8).equals(MAGIC)) {
    throw new Error('The file does not contain weights of the classifier.');
  }
  const isCurrent =
    file.readUInt32LE(12) === labelsCheck && file.readUInt32LE(16) === featureVersion;
  if (!isCurrent || file.length !== LENGTH) {
    throw new Error('The weights of the classifier are for other features or labels.');
  }
  if (crc32(file.subarray(12)) !== file.readUInt32LE(8)) {
    throw new Error('The weights of the classifier are damaged.');
  }
  const hashedStep = file.readFloatLE(24);
  const namedStep = file.readFloatLE(28);
  const namedOffset = HEADER + LABELS * 4;
  const hashedOffset = namedOffset + featureNames.length * LABELS * 2;
  return {
    temperature: file.readFloatLE(20),
    biases: Float64Array.from({ length: LABELS }, (_, i) => file.readFloatLE(HEADER + i * 4)),
    named: Float64Array.from(
      { length: featureNames.length * LABELS },
      (_, i) => file.readInt16LE(namedOffset + i * 2) * namedStep,
    ),
    hashed: Float64Array.from(
      { length: hashedRows * LABELS },
      (_, i) => file.readInt8(hashedOffset + i) * hashedStep,
    ),
  };
}
