import { latinLanguages } from './words.ts';

const languages = Object.keys(latinLanguages);

/** Maximum evidence of a word or letter for a language, as the natural logarithm of odds. */
const maxEvidence = 2.5;
/** Assumed frequency of a word that is in no list. */
const unknownFrequency = 0.0008;

interface EvidenceTables {
  /** The evidence of each word for each language. */
  words: Map<string, Float32Array>;
  letters: Map<string, Float32Array>;
}

let tables: EvidenceTables | undefined;

function load(): EvidenceTables {
  const words = new Map<string, Float32Array>();
  const letters = new Map<string, Float32Array>();
  const put = (to: Map<string, Float32Array>, key: string, at: number, value: number) => {
    const row = to.get(key) ?? noEvidence();
    row[at] = Math.min(maxEvidence, value);
    to.set(key, row);
  };
  for (const [at, language] of languages.entries()) {
    const languageWords = latinLanguages[language]!;
    // Zipf's law: the frequency of a word is inversely proportional to its rank.
    for (const [rank, word] of languageWords.words.split(' ').entries()) {
      const strength = Math.min(maxEvidence, Math.log(0.12 / (rank + 2) / unknownFrequency));
      // Single letters may also be initials or units.
      put(words, word, at, word.length === 1 ? strength / 2 : strength);
    }
    for (const letter of languageWords.letters) {
      // A letter is stronger evidence if fewer languages use it.
      put(letters, letter, at, 0.7 * Math.log(languages.length / countLanguagesWith(letter)));
    }
  }
  return { words, letters };
}

const countLanguagesWith = (letter: string) =>
  languages.filter((language) => latinLanguages[language]!.letters.includes(letter)).length;

/** Languages whose frequent words are not names of people. */
const trainedLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
let frequentWords: Set<string> | undefined;

/**
 * Whether a lower-case word is one of the most frequent words of a language in which the tagger is
 * trained.
 */
export function isFrequentWord(word: string): boolean {
  frequentWords ??= new Set(
    trainedLanguages.flatMap((language) => latinLanguages[language]!.words.split(' ')),
  );
  return frequentWords.has(word);
}

/** The score of each Latin-script language for a line. */
export type Evidence = Float32Array;

const letterless = /[^\p{L}\p{M}]+/u;
const cedillaForms: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ' };

/** Returns the lower-case words of a line in order. These words indicate its language. */
export function wordsOf(line: string): string[] {
  const words = line.split(letterless).filter((word) => word !== '' && word.length <= 30);
  return [...new Set(words)].filter((word) => word === word.toLowerCase());
}

/**
 * Returns the evidence of the words of a line for each language. Only lower-case words count, each
 * once: names and repetitions are not evidence.
 */
export function evidenceOf(line: string): Evidence {
  tables ??= load();
  const sum = noEvidence();
  for (const word of wordsOf(line)) {
    if (/^[a-z]+$/.test(word)) {
      addEvidence(sum, tables.words.get(word));
      continue;
    }
    const normalised = word
      .normalize('NFC')
      .replace(/[șț]/g, (letter) => cedillaForms[letter] ?? letter);
    addEvidence(sum, tables.words.get(normalised));
    for (const letter of new Set(normalised.replace(/[a-z]/g, '')))
      addEvidence(sum, tables.letters.get(letter));
  }
  return sum;
}

export const noEvidence = (): Evidence => new Float32Array(languages.length);

/** Adds `other` to `evidence`. */
export function addEvidence(evidence: Evidence, other: Evidence | undefined): void {
  if (!other) return;
  for (let at = 0; at < evidence.length; at++) evidence[at] = evidence[at]! + other[at]!;
}

/** Returns the language with the most evidence, of those in `covered` or of those not in it. */
export function strongestLanguage(
  evidence: Evidence,
  covered: ReadonlySet<string>,
  isCovered: boolean,
): { language: string; value: number } {
  let best = { language: 'und', value: 0 };
  for (const [at, language] of languages.entries()) {
    const value = evidence[at]!;
    if (covered.has(language) === isCovered && value > best.value) best = { language, value };
  }
  return best;
}
