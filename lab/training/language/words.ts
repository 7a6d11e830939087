/**
 * Writes the frequent words and the letters of languages in Latin script, by which
 * `packages/pii/src/language` distinguishes them. They are the words in most pairs of Tesseract's
 * language data (see `lab/training/pii/pairs.ts`). The same packages give the same file.
 *
 * script/train-languages
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsByUse } from '../pii/pairs.ts';

/** The codes of languages in Tesseract's data and in ISO 639-1 (639-3 without one). */
const languages = {
  eng: 'en',
  deu: 'de',
  fra: 'fr',
  spa: 'es',
  ita: 'it',
  nld: 'nl',
  por: 'pt',
  pol: 'pl',
  swe: 'sv',
  dan: 'da',
  nor: 'no',
  isl: 'is',
  fin: 'fi',
  est: 'et',
  lav: 'lv',
  lit: 'lt',
  ces: 'cs',
  slk: 'sk',
  slv: 'sl',
  hrv: 'hr',
  hun: 'hu',
  ron: 'ro',
  sqi: 'sq',
  tur: 'tr',
  aze: 'az',
  cat: 'ca',
  glg: 'gl',
  eus: 'eu',
  gle: 'ga',
  cym: 'cy',
  afr: 'af',
  vie: 'vi',
  ind: 'id',
  msa: 'ms',
  tgl: 'tl',
  swa: 'sw',
} as const;

const WORDS = 240;
/** A letter belongs to a language if this share of its common words contains it. */
const LETTER_SHARE = 0.001;

const packages = process.env.PACKAGES;
if (!packages) throw new Error('PACKAGES must be a folder of unpacked packages.');

function commonWords(code: string): string[] {
  const file = join(packages!, '@tesseract.js-data', code, '4.0.0', `${code}.traineddata.gz`);
  const lowerCaseWords = wordsByUse(file).filter((word) => word === word.toLowerCase());
  return [...new Set(lowerCaseWords.map((word) => word.normalize('NFC')))].filter((word) =>
    /^\p{L}{1,16}$/u.test(word),
  );
}

function lettersOf(words: readonly string[]): string {
  const mostFrequent = words.slice(0, 4000);
  const counts = new Map<string, number>();
  for (const word of mostFrequent) {
    for (const letter of new Set(word.replace(/[a-z]/g, ''))) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count > mostFrequent.length * LETTER_SHARE)
    .map(([letter]) => letter)
    .sort()
    .join('');
}

const english = new Map(commonWords('eng').map((word, rank) => [word, rank]));
/**
 * Whether a word is English that also occurs on pages in another language, where it has this rank.
 */
const isEnglish = (word: string, rank: number) =>
  (english.get(word) ?? Number.POSITIVE_INFINITY) * 1.5 + 3 < rank;
const entries = Object.entries(languages).map(([code, language]) => {
  const words = commonWords(code);
  const ownWords = words.filter((word, rank) => language === 'en' || !isEnglish(word, rank));
  const letters = language === 'en' ? '' : lettersOf(words);
  const list = ownWords.slice(0, WORDS).join(' ');
  return `  ${language}: {\n    letters: '${letters}',\n    words:\n      '${list}',\n  },\n`;
});
writeFileSync(
  new URL('../../../packages/pii/src/language/words.ts', import.meta.url),
  `/* Written by lab/training/language/words.ts. */

/** The most frequent words of languages in Latin script, and their letters beyond a to z. */
export const latinLanguages: Readonly<Record<string, { letters: string; words: string }>> = {
${entries.join('')}};
`,
);
