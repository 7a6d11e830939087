import { decodeStream } from './filters.ts';
import {
  type Dictionary,
  isDictionary,
  isSpace,
  nameIn,
  OperatorWord,
  ParseFault,
  type PdfObject,
  type PdfValue,
  Reference,
  SyntaxReader,
} from './syntax.ts';

/** A PDF file with a single revision. Each of its bytes is accounted for. */
export interface ParsedFile {
  bytes: Uint8Array;
  /** Objects by number, including those in object streams. */
  objects: Map<number, PdfObject>;
  trailer: Dictionary;
  /** Object streams and the cross-reference stream. No object refers to them. */
  containers: PdfObject[];
  /** Follows a reference. Returns null if the referenced object does not exist. */
  resolve(value: PdfValue | undefined): PdfValue;
  /** Returns the object that a reference points to. */
  objectOf(value: PdfValue | undefined): PdfObject | undefined;
}

const maxObjects = 2_000_000;

/**
 * Reads a PDF from its first byte to its last.
 * @throws ParseFault if there are bytes between objects, comments, a second revision, or objects
 * that are missing from the cross-reference table or not at the offset it gives, or if anything is
 * malformed
 */
export function parseFile(bytes: Uint8Array): ParsedFile {
  const reader = new SyntaxReader(bytes, endOfHeader(bytes));
  const objects = new Map<number, PdfObject>();
  reader.skipSpace();
  while (/^\d/.test(reader.peek(1))) {
    const object = readObject(reader);
    if (objects.has(object.number)) throw new ParseFault('The file contains a duplicate object.');
    if (objects.size >= maxObjects) throw new ParseFault('The file has too many objects.');
    objects.set(object.number, object);
    reader.skipSpace();
  }
  const tableOffset = reader.at;
  const table = reader.peek(4) === 'xref' ? readTable(reader) : undefined;
  const last = [...objects.values()].at(-1);
  const trailer = table ? readTrailer(reader) : last?.value;
  if (!isDictionary(trailer)) throw new ParseFault('The file has no trailer.');
  const declaredOffset = readEnd(reader);
  const containers: PdfObject[] = [];
  if (table) {
    if (declaredOffset !== tableOffset)
      throw new ParseFault('The file points to another cross-reference table.');
    checkTable(objects, table);
  } else {
    if (!last?.stream || nameIn(trailer, 'Type') !== 'XRef' || declaredOffset !== last.start) {
      throw new ParseFault('The file points to another cross-reference table.');
    }
    checkTable(objects, readTableStream(last, trailer));
    objects.delete(last.number);
    containers.push(last);
  }
  for (const object of [...objects.values()]) {
    if (!object.stream || !isDictionary(object.value)) continue;
    const type = nameIn(object.value, 'Type');
    if (type === 'XRef') throw new ParseFault('The file has more than one cross-reference table.');
    if (type !== 'ObjStm') continue;
    unpackObjectStream(object, objects);
    objects.delete(object.number);
    containers.push(object);
  }
  const resolve = (value: PdfValue | undefined): PdfValue => {
    let found = value ?? null;
    for (let hops = 0; found instanceof Reference; hops += 1) {
      if (hops > 10) throw new ParseFault('References form a cycle.');
      found = objects.get(found.number)?.value ?? null;
    }
    return found;
  };
  const objectOf = (value: PdfValue | undefined): PdfObject | undefined => {
    let object = value instanceof Reference ? objects.get(value.number) : undefined;
    for (let hops = 0; object?.value instanceof Reference && hops < 10; hops += 1) {
      object = objects.get(object.value.number);
    }
    return object;
  };
  return { bytes, objects, trailer, containers, resolve, objectOf };
}

/**
 * Returns the offset after the header line and the line of non-ASCII bytes that marks the file as
 * binary.
 */
function endOfHeader(bytes: Uint8Array): number {
  const head = Buffer.from(bytes.subarray(0, 40)).toString('latin1');
  const match = /^%PDF-[12]\.\d[ \t]*(?:\r\n|\r|\n)(?:%[\x80-\xff]{1,8}(?:\r\n|\r|\n))?/.exec(head);
  if (!match) throw new ParseFault('The file does not start with a PDF header.');
  return match[0].length;
}

function readInteger(reader: SyntaxReader): number {
  const value = reader.next();
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw new ParseFault('The file is malformed.');
  }
  return value;
}

/** Reads an object: `N G obj`, a value, the bytes of a stream, `endobj`. */
function readObject(reader: SyntaxReader): PdfObject {
  const start = reader.at;
  const number = readInteger(reader);
  if (readInteger(reader) !== 0) throw new ParseFault('An object has a generation other than 0.');
  reader.skipSpace();
  reader.expect('obj');
  const value = reader.next();
  if (value === undefined || value instanceof OperatorWord)
    throw new ParseFault('An object is malformed.');
  reader.skipSpace();
  let stream: Uint8Array | undefined;
  let streamStart = 0;
  if (reader.peek(6) === 'stream') {
    if (!isDictionary(value)) throw new ParseFault('A stream is malformed.');
    reader.at += 6;
    if (reader.peek(1) === '\r') reader.at += 1;
    reader.expect('\n');
    const length = value.get('Length');
    if (typeof length !== 'number' || !(length >= 0)) {
      throw new ParseFault('A stream has no length.');
    }
    streamStart = reader.at;
    stream = reader.bytes.subarray(streamStart, streamStart + length);
    reader.at += length;
    for (let spaces = 0; spaces < 2 && isSpace(reader.bytes[reader.at]); spaces += 1)
      reader.at += 1;
    reader.expect('endstream');
    reader.skipSpace();
  }
  reader.expect('endobj');
  return { number, value, stream, start, streamStart };
}

/** The offset of each used object, or the number of its object stream. */
type Table = Map<number, { at: number } | { container: number }>;

/** Reads a classic cross-reference table (32000-1 §7.5.4). */
function readTable(reader: SyntaxReader): Table {
  reader.expect('xref');
  const table: Table = new Map();
  for (;;) {
    reader.skipSpace();
    if (reader.peek(7) === 'trailer') return table;
    const first = readInteger(reader);
    const count = readInteger(reader);
    if (count > maxObjects) throw new ParseFault('The file has too many objects.');
    reader.skipSpace();
    for (let index = 0; index < count; index += 1) {
      const entry = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)/.exec(reader.peek(20));
      if (!entry) throw new ParseFault('The cross-reference table is malformed.');
      if (entry[3] === 'n') table.set(first + index, { at: Number(entry[1]) });
      reader.at += 20;
    }
  }
}

function readTrailer(reader: SyntaxReader): PdfValue {
  reader.expect('trailer');
  const trailer = reader.next();
  return trailer === undefined || trailer instanceof OperatorWord ? null : trailer;
}

/** Reads a cross-reference stream (32000-1 §7.5.8). */
function readTableStream(object: PdfObject, dictionary: Dictionary): Table {
  const bytes = decodeStream(object, (value) => value ?? null).bytes;
  const widths = readIntegers(dictionary.get('W'), 3);
  const [kindWidth = 0, firstWidth = 0, secondWidth = 0] = widths;
  const size = dictionary.get('Size');
  const index = dictionary.has('Index') ? readIntegers(dictionary.get('Index')) : [0, Number(size)];
  const table: Table = new Map();
  let at = 0;
  const field = (width: number): number => {
    let value = 0;
    for (let byte = 0; byte < width; byte += 1, at += 1) value = value * 256 + (bytes[at] ?? 0);
    return value;
  };
  for (let section = 0; section + 1 < index.length; section += 2) {
    const [first = 0, count = 0] = index.slice(section, section + 2);
    if (count > maxObjects) throw new ParseFault('The file has too many objects.');
    for (let number = first; number < first + count; number += 1) {
      const kind = kindWidth === 0 ? 1 : field(kindWidth);
      const value = field(firstWidth);
      field(secondWidth);
      if (kind === 1) table.set(number, { at: value });
      else if (kind === 2) table.set(number, { container: value });
    }
  }
  if (at !== bytes.length)
    throw new ParseFault('The cross-reference table has bytes outside its entries.');
  return table;
}

function readIntegers(value: PdfValue | undefined, length?: number): number[] {
  const list = Array.isArray(value) ? value : [];
  const numbers = list.filter((item) => typeof item === 'number');
  if (numbers.length !== list.length || (length ?? list.length) !== list.length) {
    throw new ParseFault('The cross-reference table is malformed.');
  }
  return numbers;
}

/** Checks that the objects in the file are exactly those of the cross-reference table. */
function checkTable(objects: Map<number, PdfObject>, table: Table): void {
  for (const object of objects.values()) {
    const entry = table.get(object.number);
    if (!entry || !('at' in entry) || entry.at !== object.start) {
      throw new ParseFault('The file has an object that is not in its cross-reference table.');
    }
  }
  for (const [number, entry] of table) {
    const isMissing = 'at' in entry ? !objects.has(number) : !objects.has(entry.container);
    if (isMissing) throw new ParseFault('The cross-reference table lists a missing object.');
  }
}

/** Reads `startxref`, the offset and `%%EOF`, followed by at most one line break. */
function readEnd(reader: SyntaxReader): number {
  reader.skipSpace();
  const rest = Buffer.from(reader.bytes.subarray(reader.at)).toString('latin1', 0, 60);
  const match = /^startxref\s{1,2}(\d{1,12})\s{1,2}%%EOF(?:\r\n|\r|\n)?/.exec(rest);
  if (!match) throw new ParseFault('The file does not end like a PDF with a single revision.');
  if (reader.at + match[0].length !== reader.bytes.length) {
    throw new ParseFault('The file continues after its end.');
  }
  return Number(match[1]);
}

/** Extracts the objects of an object stream (32000-1 §7.5.7). */
function unpackObjectStream(container: PdfObject, objects: Map<number, PdfObject>): void {
  const dictionary = container.value;
  if (!isDictionary(dictionary)) throw new ParseFault('An object stream is malformed.');
  const { bytes } = decodeStream(container, (value) => value ?? null);
  const count = Number(dictionary.get('N'));
  const first = Number(dictionary.get('First'));
  if (!(count >= 0 && count <= maxObjects && first >= 0 && first <= bytes.length)) {
    throw new ParseFault('An object stream is malformed.');
  }
  const header = new SyntaxReader(bytes.subarray(0, first));
  const reader = new SyntaxReader(bytes, first);
  for (let index = 0; index < count; index += 1) {
    const number = readInteger(header);
    const offset = readInteger(header);
    reader.skipSpace();
    if (reader.at !== first + offset)
      throw new ParseFault('An object stream has bytes outside its objects.');
    const value = reader.next();
    if (value === undefined || value instanceof OperatorWord || objects.has(number)) {
      throw new ParseFault('An object stream is malformed.');
    }
    objects.set(number, {
      number,
      value,
      stream: undefined,
      start: container.start,
      streamStart: 0,
    });
  }
  header.skipSpace();
  reader.skipSpace();
  if (!header.isAtEnd || !reader.isAtEnd)
    throw new ParseFault('An object stream has bytes outside its objects.');
}
