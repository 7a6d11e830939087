import { constants, inflateSync } from 'node:zlib';
import { hasFields, isNumber } from '@scriptorium/sandbox/checks';
import {
  type Dictionary,
  isDictionary,
  isSpace,
  ParseFault,
  PdfName,
  type PdfValue,
} from './syntax.ts';

/** The bytes of a stream after decoding its filters. */
interface DecodedStream {
  bytes: Uint8Array;
  /** The remaining picture coding, such as DCTDecode; undefined if the bytes are fully decoded. */
  picture: string | undefined;
}

/** Maximum size of a decoded stream, in bytes. A colour page of A3 at 600 dpi fits. */
const maxBytes = 400e6;
const maxFilters = 8;

const pictureFilters = new Set(['DCTDecode', 'JPXDecode', 'CCITTFaxDecode', 'JBIG2Decode']);
/** Short names that inline images may use (32000-1 §8.9.7). */
const shortNames: Readonly<Record<string, string>> = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};

/**
 * Decodes the filters of a stream (32000-1 §7.4).
 * @throws ParseFault if decoding fails, or if bytes follow the end of the data, because values
 * could be hidden there
 */
export function decodeStream(
  { value, stream }: { value: PdfValue; stream: Uint8Array | undefined },
  resolve: (value: PdfValue | undefined) => PdfValue,
): DecodedStream {
  if (!isDictionary(value) || !stream) throw new ParseFault('A stream is malformed.');
  const filters = listOf(resolve(value.get('Filter') ?? value.get('F')), resolve);
  const parameters = listOf(resolve(value.get('DecodeParms') ?? value.get('DP')), resolve);
  if (filters.length > maxFilters) throw new ParseFault('A stream has too many filters.');
  let bytes = stream;
  for (const [index, filter] of filters.entries()) {
    if (!(filter instanceof PdfName)) throw new ParseFault('A filter is malformed.');
    const name = shortNames[filter.text] ?? filter.text;
    if (pictureFilters.has(name)) {
      if (index !== filters.length - 1) throw new ParseFault('A filter follows a picture filter.');
      return { bytes, picture: name };
    }
    const given = parameters[index];
    bytes = decodeFilter(name, bytes, isDictionary(given) ? given : new Map(), resolve);
  }
  return { bytes, picture: undefined };
}

function listOf(value: PdfValue, resolve: (value: PdfValue) => PdfValue): PdfValue[] {
  if (value === null) return [];
  return Array.isArray(value) ? value.map(resolve) : [value];
}

function decodeFilter(
  name: string,
  bytes: Uint8Array,
  parameters: Dictionary,
  resolve: (value: PdfValue | undefined) => PdfValue,
): Uint8Array {
  const number = (key: string, fallback: number): number => {
    const value = resolve(parameters.get(key));
    return typeof value === 'number' ? value : fallback;
  };
  switch (name) {
    case 'FlateDecode':
      return unpredict(inflate(bytes), number);
    case 'LZWDecode':
      return unpredict(unpackLzw(bytes, number('EarlyChange', 1)), number);
    case 'ASCIIHexDecode':
      return readHex(bytes);
    case 'ASCII85Decode':
      return readAscii85(bytes);
    case 'RunLengthDecode':
      return unpackRuns(bytes);
    default:
      throw new ParseFault('A stream has an unknown filter.');
  }
}

function inflate(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  let result: unknown;
  try {
    // Truncated data is read up to its end, as PDF readers do.
    const options = { info: true, maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH };
    result = inflateSync(bytes, options);
  } catch {
    throw new ParseFault('A compressed stream cannot be read, or is too large.');
  }
  if (!isInflated(result)) throw new Error('zlib did not report the number of bytes read');
  checkEndOfData(bytes, result.engine.bytesWritten);
  return result.buffer;
}

/** Whether a value is the result of zlib with `info`, which the typings omit. */
const isInflated = (
  value: unknown,
): value is { buffer: Buffer; engine: { bytesWritten: number } } =>
  hasFields(value, {
    buffer: Buffer.isBuffer,
    engine: (engine) => hasFields(engine, { bytesWritten: isNumber }),
  });

/** Checks that at most a line break follows the coded data. */
function checkEndOfData(bytes: Uint8Array, end: number): void {
  const rest = bytes.subarray(end);
  if (rest.length > 2 || !rest.every(isSpace)) {
    throw new ParseFault('A stream continues after the end of its data.');
  }
}

function unpackLzw(bytes: Uint8Array, earlyChange: number): Uint8Array {
  const out = new ByteCollector();
  let table: Uint8Array[] = [];
  let width = 9;
  let previous: Uint8Array | undefined;
  let bits = 0;
  let bitCount = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    bits = ((bits << 8) | (bytes[at] ?? 0)) & 0xffffff;
    bitCount += 8;
    if (bitCount < width) continue;
    bitCount -= width;
    const code = (bits >> bitCount) & ((1 << width) - 1);
    if (code === 257) {
      checkEndOfData(bytes, at + 1);
      return out.take();
    }
    if (code === 256) {
      table = [];
      width = 9;
      previous = undefined;
      continue;
    }
    const known = code < 256 ? Uint8Array.of(code) : table[code - 258];
    const entry = known ?? (previous && code === 258 + table.length && appendFirstByte(previous));
    if (!entry) throw new ParseFault('A compressed stream cannot be read.');
    out.push(entry);
    if (previous && table.length < 4096 - 258) {
      const grown = new Uint8Array(previous.length + 1);
      grown.set(previous);
      grown[previous.length] = entry[0] ?? 0;
      table.push(grown);
    }
    previous = entry;
    const next = 258 + table.length + earlyChange;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return out.take();
}

function appendFirstByte(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  longer[bytes.length] = bytes[0] ?? 0;
  return longer;
}

function readHex(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const end = text.indexOf('>');
  const digits = (end < 0 ? text : text.slice(0, end)).replace(/[\s\0]+/g, '');
  if (!/^[0-9a-f]*$/i.test(digits)) throw new ParseFault('A hexadecimal stream cannot be read.');
  if (end >= 0) checkEndOfData(bytes, end + 1);
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
}

function readAscii85(bytes: Uint8Array): Uint8Array {
  const out = new ByteCollector();
  let group: number[] = [];
  const flush = (): void => {
    const length = group.length;
    if (length === 0) return;
    if (length === 1) throw new ParseFault('An ASCII85 stream cannot be read.');
    while (group.length < 5) group.push(84);
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0) >>> 0;
    const four = Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
    out.push(four.subarray(0, length - 1));
    group = [];
  };
  let at = Buffer.from(bytes.subarray(0, 2)).toString('latin1') === '<~' ? 2 : 0;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isSpace(byte)) continue;
    if (byte === 0x7e) {
      const end = bytes.indexOf(0x3e, at);
      if (end < 0 || end > at + 3) throw new ParseFault('An ASCII85 stream cannot be read.');
      checkEndOfData(bytes, end + 1);
      break;
    }
    if (byte === 0x7a && group.length === 0) out.push(new Uint8Array(4));
    else if (byte >= 0x21 && byte <= 0x75) group.push(byte - 0x21);
    else throw new ParseFault('An ASCII85 stream cannot be read.');
    if (group.length === 5) flush();
  }
  flush();
  return out.take();
}

function unpackRuns(bytes: Uint8Array): Uint8Array {
  const out = new ByteCollector();
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 128) {
      checkEndOfData(bytes, at + 1);
      break;
    }
    if (length < 128) out.push(bytes.subarray(at + 1, at + 2 + length));
    else out.push(new Uint8Array(257 - length).fill(bytes[at + 1] ?? 0));
    at += length < 128 ? length + 2 : 2;
  }
  return out.take();
}

/**
 * Reverses the prediction that was applied to rows of samples before compression (32000-1
 * §7.4.4.4).
 */
function unpredict(
  bytes: Uint8Array,
  number: (key: string, fallback: number) => number,
): Uint8Array {
  const predictor = number('Predictor', 1);
  if (predictor < 2) return bytes;
  const [colours, depth] = [number('Colors', 1), number('BitsPerComponent', 8)];
  const row = Math.ceil((colours * depth * number('Columns', 1)) / 8);
  const step = Math.max(1, Math.ceil((colours * depth) / 8));
  if (!(row >= 1 && row <= maxBytes)) throw new ParseFault('A predictor is malformed.');
  if (predictor === 2) return unpredictTiff(bytes, row, step, depth);
  const rows = Math.ceil(bytes.length / (row + 1));
  const out = new Uint8Array(rows * row);
  let length = 0;
  for (let index = 0; index < rows; index += 1) {
    const from = index * (row + 1);
    const kind = bytes[from] ?? 0;
    const count = Math.min(row, bytes.length - from - 1);
    const to = index * row;
    for (let at = 0; at < count; at += 1) {
      const left = at >= step ? (out[to + at - step] ?? 0) : 0;
      const above = index > 0 ? (out[to + at - row] ?? 0) : 0;
      const corner = at >= step && index > 0 ? (out[to + at - row - step] ?? 0) : 0;
      out[to + at] = (bytes[from + 1 + at] ?? 0) + predict(kind, left, above, corner);
    }
    length = to + Math.max(0, count);
  }
  return out.subarray(0, length);
}

function predict(kind: number, left: number, above: number, corner: number): number {
  if (kind === 0) return 0;
  if (kind === 1) return left;
  if (kind === 2) return above;
  if (kind === 3) return (left + above) >> 1;
  if (kind !== 4) throw new ParseFault('A predictor is malformed.');
  const sum = left + above - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - above), Math.abs(sum - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/**
 * Reverses differences between neighbouring whole bytes. Samples of other depths occur only in
 * pictures and remain as they are.
 */
function unpredictTiff(bytes: Uint8Array, row: number, step: number, depth: number): Uint8Array {
  if (depth !== 8) return bytes;
  const out = Uint8Array.from(bytes);
  for (let at = 0; at < out.length; at += 1) {
    if (at % row >= step) out[at] = (out[at] ?? 0) + (out[at - step] ?? 0);
  }
  return out;
}

/** Collects bytes, up to the maximum size of a decoded stream. */
class ByteCollector {
  #bytes = new Uint8Array(1024);
  #length = 0;

  push(more: Uint8Array): void {
    const length = this.#length + more.length;
    if (length > maxBytes) throw new ParseFault('A stream is too large.');
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(more, this.#length);
    this.#length = length;
  }

  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
