import { latinLanguages } from './words.ts';

const languages = Object.keys(latinLanguages);

/** Maximum evidence that one word or letter gives for a language, in natural logarithms of odds. */
const MOST = 2.5;
/** Assumed frequency of a word that is on no list. */
const FLOOR = 0.0008;

interface Known {
  /** The evidence that each word gives for each language. */
  words: Map<string, Float32Array>;
  letters: Map<string, Float32Array>;
}

let known: Known | undefined;

function load(): Known {
  const words = new Map<string, Float32Array>();
  const letters = new Map<string, Float32Array>();
  const put = (to: Map<string, Float32Array>, key: string, at: number, value: number) => {
    const row = to.get(key) ?? noEvidence();
    row[at] = Math.min(MOST, value);
    to.set(key, row);
  };
  for (const [at, language] of languages.entries()) {
    const of = latinLanguages[language]!;
    // Zipf's law: the frequency of a word is inversely proportional to its rank.
    for (const [rank, word] of of.words.split(' ').entries()) {
      const says = Math.min(MOST, Math.log(0.12 / (rank + 2) / FLOOR));
      // Initials and units are also single letters.
      put(words, word, at, word.length === 1 ? says / 2 : says);
    }
    for (const letter of of.letters) {
      // The fewer languages have a letter, the stronger the evidence.
      put(letters, letter, at, 0.7 * Math.log(languages.length / usersOf(letter)));
    }
  }
  return { words, letters };
}

const usersOf = (letter: string) =>
  languages.filter((language) => latinLanguages[language]!.letters.includes(letter)).length;

/** The languages whose frequent words are no names of people. */
const plainLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
let frequent: Set<string> | undefined;

/**
 * Whether a word in lower case is one of the most frequent of a language that the tagger is trained
 * in.
 */
export function isFrequentWord(word: string): boolean {
  frequent ??= new Set(plainLanguages.flatMap((of) => latinLanguages[of]!.words.split(' ')));
  return frequent.has(word);
}

/** The score of each Latin language in a line. */
export type Evidence = Float32Array;

const letterless = /[^\p{L}\p{M}]+/u;
const written: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ' };

/** Returns the words of a line that indicate its language, in order: those in lower case. */
export function wordsOf(line: string): string[] {
  const words = line.split(letterless).filter((word) => word !== '' && word.length <= 30);
  return [...new Set(words)].filter((word) => word === word.toLowerCase());
}

/**
 * Adds up the evidence of the words of a line for each language. Only words in lower case count,
 * and each once: names and repetition are no evidence.
 */
export function evidenceOf(line: string): Evidence {
  known ??= load();
  const sum = noEvidence();
  for (const word of wordsOf(line)) {
    if (/^[a-z]+$/.test(word)) {
      add(sum, known.words.get(word));
      continue;
    }
    const plain = word.normalize('NFC').replace(/[șț]/g, (letter) => written[letter] ?? letter);
    add(sum, known.words.get(plain));
    for (const letter of new Set(plain.replace(/[a-z]/g, ''))) add(sum, known.letters.get(letter));
  }
  return sum;
}

export const noEvidence = (): Evidence => new Float32Array(languages.length);

/** Adds `other` to `evidence`. */
export function add(evidence: Evidence, other: Evidence | undefined): void {
  if (!other) return;
  for (let at = 0; at < evidence.length; at++) evidence[at] = evidence[at]! + other[at]!;
}

/** Returns the strongest language among those that are, or are not, in `covered`. */
export function strongest(
  evidence: Evidence,
  covered: ReadonlySet<string>,
  wanted: boolean,
): { language: string; value: number } {
  let best = { language: 'und', value: 0 };
  for (const [at, language] of languages.entries()) {
    const value = evidence[at]!;
    if (covered.has(language) === wanted && value > best.value) best = { language, value };
  }
  return best;
}
