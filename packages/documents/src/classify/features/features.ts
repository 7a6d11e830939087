import { crc32 } from 'node:zlib';
import { conceptNames, phraseTrie } from '../lexicon/index.ts';
import type { PageView } from '../view.ts';
import { lineFeatureNames, lineFeatures } from './lines.ts';
import { foldedWords } from './words.ts';

/**
 * Number of rows in the table of hashed features, which words, pairs of words and starts of words
 * share.
 */
export const hashedRows = 2 ** 15;

/**
 * The features of phrases. For titles: occurrences in a short line near the top, and occurrences
 * anywhere. For other phrases: the number of different phrases anywhere, and occurrences that make
 * up most of a short line, such as headings and labels.
 */
const phraseFeatureNames = conceptNames.flatMap((name) =>
  name.startsWith('title_')
    ? [`title:${name.slice(6)}`, `mention:${name.slice(6)}`]
    : [`phrase:${name}`, `phrases:${name}`, `heading:${name}`],
);
/** The index of the first feature of each concept. */
const firstFeatureIndexes = conceptNames.map((name) =>
  phraseFeatureNames.indexOf(
    name.startsWith('title_') ? `title:${name.slice(6)}` : `phrase:${name}`,
  ),
);

/** The names of all named features, which are also the names of possible signals. */
export const featureNames: readonly string[] = [...phraseFeatureNames, ...lineFeatureNames];
/** The version of the features. Weights are valid for one version only. */
export const featureVersion: number = crc32(`2 ${hashedRows} ${featureNames.join(' ')}`);

/** The features of a page. */
export type Features = {
  /** Values from 0 to 1, in the order of `featureNames`. */
  named: Float64Array;
  /** The rows of hashed features without duplicates, and their counts as a vector of length 1. */
  rows: Int32Array;
  values: Float64Array;
  words: number;
};

const maxWords = 3_000;

/** Maximum number of lines that may contain a title. */
const titleLines = 14;
const titleWords = 9;
const headingWords = 5;

export function featuresOf(view: PageView): Features {
  const matchedPhrases = conceptNames.map(() => new Set<unknown>());
  const titles = conceptNames.map(() => 0);
  const headings = conceptNames.map(() => 0);
  const hashed = new Map<number, number>();
  const sizes = view.lines.map(({ size }) => size).sort((a, b) => a - b);
  const medianSize = sizes[sizes.length >> 1] ?? 0;
  let count = 0;
  for (const [lineIndex, { text, size }] of view.lines.entries()) {
    if (count > maxWords) break;
    // A title in a separate row or beside an address.
    for (const cell of text.split('\t')) {
      const words = foldedWords(cell);
      count += words.length;
      const isLarge = medianSize > 0 && size > 1.35 * medianSize;
      const isTitle = words.length <= titleWords && (lineIndex < titleLines || isLarge);
      for (let start = 0; start < words.length; start++) {
        let node = phraseTrie;
        for (let end = start; end < words.length; end++) {
          const next = node.next.get(words[end]!);
          if (!next) break;
          node = next;
          for (const { concept, startOnly } of node.ends) {
            if (startOnly && start > 0) continue;
            matchedPhrases[concept]!.add(node);
            const share = (end - start + 1) / words.length;
            const titleScore = lineIndex < 3 ? 1 : 0.85;
            if (words.length <= headingWords && share >= 0.5) headings[concept]!++;
            if (isTitle)
              titles[concept] = Math.max(titles[concept]!, share >= 0.5 ? titleScore : 0.6);
          }
        }
      }
      countWords(words, hashed);
    }
  }
  const named = new Float64Array(featureNames.length);
  conceptNames.forEach((name, concept) => {
    const phraseCount = matchedPhrases[concept]!.size;
    if (phraseCount === 0) return;
    const featureIndex = firstFeatureIndexes[concept]!;
    if (name.startsWith('title_')) {
      named[featureIndex] = titles[concept]!;
      named[featureIndex + 1] = 1;
    } else {
      named[featureIndex] = 1;
      named[featureIndex + 1] = Math.min(1, (phraseCount - 1) / 4);
      named[featureIndex + 2] = Math.min(1, headings[concept]! / 3);
    }
  });
  named.set(lineFeatures(view, count), phraseFeatureNames.length);
  return { named, ...normalise(hashed), words: count };
}

/** Returns the FNV-1a hash of a text. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (hashedRows - 1);
}

function countWords(words: readonly string[], hashed: Map<number, number>): void {
  const add = (row: number) => hashed.set(row, (hashed.get(row) ?? 0) + 1);
  for (const [index, word] of words.entries()) {
    if (word.startsWith('#')) continue;
    add(hashOf(word, 1));
    const next = words[index + 1];
    if (next) add(hashOf(`${word} ${next}`, 2));
    // Stems and compounds, which a misread or inflected word still shares with other words.
    if (word.length > 5) {
      add(hashOf(word.slice(0, 5), 3));
      add(hashOf(word.slice(-5), 4));
    }
    for (let at = 0; at + 4 <= word.length; at++) add(hashOf(word.slice(at, at + 4), 5));
  }
}

function normalise(hashed: ReadonlyMap<number, number>): {
  rows: Int32Array;
  values: Float64Array;
} {
  const rows = Int32Array.from(hashed.keys());
  const values = Float64Array.from(hashed.values(), (count) => 1 + Math.log(count));
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return { rows, values: values.map((value) => value / (length || 1)) };
}
