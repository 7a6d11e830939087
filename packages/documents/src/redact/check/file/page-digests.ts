import { createHash, type Hash } from 'node:crypto';
import { type ParsedFile, parseFile } from './parse.ts';
import { walkStructure } from './structure.ts';
import {
  type Dictionary,
  isDictionary,
  ParseFault,
  PdfName,
  type PdfObject,
  PdfText,
  type PdfValue,
  Reference,
} from './syntax.ts';

/**
 * Returns a digest for each page. It covers everything that the page refers to, and the page's
 * attributes from the rest of the file: pages with the same digest are drawn and read alike. Empty
 * if the file cannot be read.
 */
export function pageDigests(bytes: Uint8Array): string[] {
  try {
    const file = parseFile(bytes);
    const root = file.resolve(file.trailer.get('Root'));
    const ofFile = isDictionary(root)
      ? new Map([...root].filter(([key]) => key !== 'Pages'))
      : new Map();
    const streams = new Map<number, Buffer>();
    const digestOf = (page: number): string => {
      const hash = createHash('sha256');
      const writer = new GraphWriter(hash);
      writer.write(ofFile);
      for (const inherited of inheritedBy(file, page)) writer.write(inherited);
      writer.write(new Reference(page));
      for (const number of writer.reached) {
        const object = file.objects.get(number);
        hash.update(object ? 'object ' : 'nothing ');
        if (!object) continue;
        writer.write(object.value);
        hash.update(streamHash(object, streams));
      }
      return hash.digest('base64');
    };
    return walkStructure(file).pages.map(digestOf);
  } catch (error) {
    if (error instanceof ParseFault) return [];
    throw error;
  }
}

/** Returns the attributes that a page inherits from the page tree. */
function inheritedBy(file: ParsedFile, page: number): Dictionary[] {
  const found: Dictionary[] = [];
  let node = file.objects.get(page)?.value;
  for (let depth = 0; isDictionary(node) && depth < maxNodes; depth += 1) {
    const above = file.resolve(node.get('Parent'));
    if (!isDictionary(above)) break;
    found.push(new Map([...above].filter(([key]) => !treeKeys.has(key))));
    node = above;
  }
  return found;
}

const maxNodes = 100;
const treeKeys: ReadonlySet<string> = new Set(['Kids', 'Count', 'Parent']);

/** Returns the digest of an object's stream. It is computed once for all pages. */
function streamHash({ number, stream }: PdfObject, known: Map<number, Buffer>): Buffer {
  const before = known.get(number);
  if (before) return before;
  const hash = createHash('sha256').update(stream ? 'stream ' : 'none ');
  const made = hash.update(stream ?? '').digest();
  known.set(number, made);
  return made;
}

/** Writes values into a hash. Objects are numbered in the order in which they are reached. */
class GraphWriter {
  readonly #hash: Hash;
  readonly #places = new Map<number, number>();
  /** The numbers of the objects reached so far. Grows during iteration. */
  readonly reached: number[] = [];

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  write(value: PdfValue): void {
    const hash = this.#hash;
    if (value instanceof Reference) hash.update(`R${this.#placeOf(value.number)} `);
    else if (value instanceof PdfName) hash.update(`/${value.text.length} ${value.text} `);
    else if (value instanceof PdfText) hash.update(`(${value.bytes.length} `).update(value.bytes);
    else if (Array.isArray(value)) {
      hash.update(`[${value.length} `);
      for (const item of value) this.write(item);
    } else if (isDictionary(value)) this.#writeEntries(value);
    else hash.update(`${typeof value} ${String(value)} `);
  }

  #writeEntries(dictionary: Dictionary): void {
    this.#hash.update(`<${dictionary.size} `);
    for (const [key, entry] of dictionary) {
      this.#hash.update(`/${key.length} ${key} `);
      // The page tree leads to all other pages.
      if (key !== 'Parent') this.write(entry);
    }
  }

  #placeOf(number: number): number {
    const known = this.#places.get(number);
    if (known !== undefined) return known;
    this.reached.push(number);
    this.#places.set(number, this.reached.length);
    return this.reached.length;
  }
}
