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
    const fileAttributes = isDictionary(root)
      ? new Map([...root].filter(([key]) => key !== 'Pages'))
      : new Map();
    const streams = new Map<number, Buffer>();
    const digestOf = (page: number): string => {
      const hash = createHash('sha256');
      const writer = new GraphWriter(hash);
      writer.write(fileAttributes);
      for (const inherited of inheritedBy(file, page)) writer.write(inherited);
      writer.write(new Reference(page));
      for (const number of writer.reachedObjects) {
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
  const inherited: Dictionary[] = [];
  let node = file.objects.get(page)?.value;
  for (let depth = 0; isDictionary(node) && depth < maxDepth; depth += 1) {
    const parent = file.resolve(node.get('Parent'));
    if (!isDictionary(parent)) break;
    inherited.push(new Map([...parent].filter(([key]) => !treeKeys.has(key))));
    node = parent;
  }
  return inherited;
}

const maxDepth = 100;
const treeKeys: ReadonlySet<string> = new Set(['Kids', 'Count', 'Parent']);

/** Returns the digest of an object's stream. It is computed once for all pages. */
function streamHash({ number, stream }: PdfObject, cache: Map<number, Buffer>): Buffer {
  const cached = cache.get(number);
  if (cached) return cached;
  const hash = createHash('sha256').update(stream ? 'stream ' : 'none ');
  const digest = hash.update(stream ?? '').digest();
  cache.set(number, digest);
  return digest;
}

/** Writes values into a hash. Objects are numbered in the order in which they are reached. */
class GraphWriter {
  readonly #hash: Hash;
  readonly numbers = new Map<number, number>();
  /** The numbers of the objects reached so far. Grows during iteration. */
  readonly reachedObjects: number[] = [];

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  write(value: PdfValue): void {
    const hash = this.#hash;
    if (value instanceof Reference) hash.update(`R${this.numberOf(value.number)} `);
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

  numberOf(number: number): number {
    const known = this.numbers.get(number);
    if (known !== undefined) return known;
    this.reachedObjects.push(number);
    this.numbers.set(number, this.reachedObjects.length);
    return this.reachedObjects.length;
  }
}
