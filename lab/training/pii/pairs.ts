import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/**
 * Reads the word pairs in Tesseract's language data: a graph of letters (a "squished DAWG") in
 * which each path spells two words that often follow one another in web texts.
 */
const UNICHARSET = 1;
const BIGRAMS = 14;
const MAGIC = 42;
/** The letter between the two words. */
const SPACE = 0;

interface Graph {
  /** For each edge: its letter, the first edge of its target node, and its flags. */
  letters: Uint32Array;
  next: Uint32Array;
  flags: Uint8Array;
}

const LAST_OF_NODE = 1;
const END_OF_WORD = 4;

/**
 * Returns words by the number of pairs that contain them, most common first. `file` is a
 * `.traineddata.gz`.
 */
export function wordsByUse(file: string): string[] {
  const data = gunzipSync(readFileSync(file));
  const letters = part(data, UNICHARSET)
    .toString('utf8')
    .split('\n')
    .slice(1)
    .map((line) => (line.split(' ', 1)[0] ?? '').normalize('NFKC'));
  const graph = graphOf(part(data, BIGRAMS));
  const uses = new Map<string, number>();
  const use = (word: string, times: number) => uses.set(word, (uses.get(word) ?? 0) + times);
  const seconds = new Map<number, string[]>();
  /**
   * Calls `found` for every word that continues from a node to a space or the end, with the node
   * that follows it (0 at the end).
   */
  const spell = (node: number, word: string, found: (word: string, next: number) => void): void => {
    for (let edge = node; ; edge++) {
      const flags = graph.flags[edge]!;
      const letter = graph.letters[edge]!;
      const next = graph.next[edge]!;
      if (letter === SPACE) found(word, next);
      else {
        const longer = word + letters[letter];
        if ((flags & END_OF_WORD) !== 0) found(longer, 0);
        if (next !== 0) spell(next, longer, found);
      }
      if ((flags & LAST_OF_NODE) !== 0) return;
    }
  };
  spell(0, '', (first, node) => {
    if (node === 0) return;
    let all = seconds.get(node);
    if (!all) {
      const list: string[] = [];
      spell(node, '', (word) => list.push(word));
      seconds.set(node, list);
      all = list;
    }
    use(first, all.length);
    for (const second of all) use(second, 1);
  });
  return [...uses]
    .sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
    .map(([word]) => word);
}

/** Returns a component of a `.traineddata` file. */
function part(data: Buffer, at: number): Buffer {
  const count = data.readUInt32LE(0);
  const offsets = Array.from({ length: count }, (_, i) => Number(data.readBigInt64LE(4 + 8 * i)));
  const start = offsets[at] ?? -1;
  if (start < 0) throw new Error(`The language data has no part ${at}.`);
  const end = Math.min(...offsets.filter((offset) => offset > start), data.length);
  return data.subarray(start, end);
}

function graphOf(data: Buffer): Graph {
  if (data.readInt16LE(0) !== MAGIC) throw new Error('The pairs of words are not a DAWG.');
  const letterCount = data.readInt32LE(2);
  const edges = data.readInt32LE(6);
  const flagBit = BigInt(Math.ceil(Math.log2(letterCount + 1)));
  const graph: Graph = {
    letters: new Uint32Array(edges),
    next: new Uint32Array(edges),
    flags: new Uint8Array(edges),
  };
  for (let edge = 0; edge < edges; edge++) {
    const record = data.readBigUInt64LE(10 + 8 * edge);
    graph.letters[edge] = Number(record & ((1n << flagBit) - 1n));
    graph.flags[edge] = Number((record >> flagBit) & 7n);
    graph.next[edge] = Number(record >> (flagBit + 3n));
  }
  return graph;
}
