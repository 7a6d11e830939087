import { decodeStrictly } from './decoders.ts';
import { type Language, legacy, multiByte, singleByte } from './languages.ts';

/**
 * The maximum number of bytes that a guess examines, from lines near the first non-ASCII
 * characters.
 */
const maxSampleBytes = 6_144;
/** The minimum score of a reading for the bytes to be text. */
const minScore = -0.2;

/** The minimum score of a legacy encoding, and its minimum lead over modern encodings. */
const minLegacyScore = 0.2;
const minLegacyLead = 0.3;

interface Guess {
  name: string;
  /** The plausibility of the reading: at most 1; below 0, it is hardly text. */
  score: number;
}

/**
 * Returns the most plausible encoding of bytes that are neither UTF-8 nor UTF-16. Scores each
 * candidate that can decode the bytes by the letters and words of the languages written in it.
 * Returns null if no candidate reads as text.
 */
export function guessEncoding(bytes: Uint8Array): string | null {
  const sample = sampleOf(bytes);
  let best: Guess | null = null;
  for (const [name, frequent] of Object.entries(multiByte)) {
    const text = decodeSample(sample, name);
    if (text !== null) best = betterOf(best, { name, score: scoreEastAsian(text, frequent, name) });
  }
  for (const [name, languages] of Object.entries(singleByte)) {
    const text = decodeSample(sample, name);
    if (text === null) continue;
    const bonus = name === 'windows-1252' ? 0.05 : 0;
    best = betterOf(best, { name, score: scoreAlphabetic(text, languages) + bonus });
  }
  const legacyGuess = guessLegacy(sample);
  if (
    legacyGuess &&
    legacyGuess.score > Math.max(minLegacyScore, (best?.score ?? -1) + minLegacyLead)
  ) {
    return legacyGuess.name;
  }
  return best && best.score >= minScore ? best.name : null;
}

function guessLegacy(sample: Uint8Array): Guess | null {
  let best: Guess | null = null;
  for (const [name, languages] of Object.entries(legacy)) {
    const text = decodeSample(sample, name);
    // Box-drawing and shading characters do not indicate another encoding.
    const plain = text?.replace(/[\u2500-\u25a0]/g, ' ') ?? null;
    if (plain === null || !/[^\0-\x7f]/.test(plain)) continue;
    best = betterOf(best, { name, score: scoreAlphabetic(plain, languages) });
  }
  return best;
}

const betterOf = (best: Guess | null, guess: Guess): Guess =>
  best === null || guess.score > best.score + 1e-9 ? guess : best;

/**
 * Returns whole lines, from the first line with non-ASCII characters, without lines of pure ASCII.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(maxSampleBytes);
  let length = 0;
  for (let at = 0; at < bytes.length && length < maxSampleBytes; ) {
    const lineEnd = bytes.indexOf(10, at);
    const end = lineEnd < 0 ? bytes.length : lineEnd + 1;
    const line = bytes.subarray(at, Math.min(end, at + maxSampleBytes - length));
    if (line.some((byte) => byte > 127)) {
      out.set(line, length);
      length += line.length;
    }
    at = end;
  }
  return out.subarray(0, length);
}

/**
 * Decodes the sample; null if its bytes are invalid in the encoding. It may end within a character.
 */
function decodeSample(sample: Uint8Array, name: string): string | null {
  const text = decodeStrictly(sample, name, false);
  // Control characters of ISO 6429 and private-use characters do not occur in text.
  return text === null || /[\u0080-\u009f\ue000-\uf8ff\ufffd]/.test(text) ? null : text;
}

/**
 * Returns the mean score of the non-ASCII characters: frequent characters raise it, rare ones lower
 * it.
 */
function scoreEastAsian(text: string, frequent: string, name: string): number {
  const frequentCharacters = new Set(frequent);
  let sum = 0;
  let count = 0;
  let previous = '';
  for (const character of text) {
    if (character > '\x7f') {
      count += 1;
      sum += frequentCharacters.has(character) ? 1 : eastAsianWeight(character, name);
      // Latin letters rarely touch these scripts. A misread accented letter would touch them.
      if (/[a-z]/.test(previous)) sum -= 0.8;
    } else if (/[a-z]/.test(character) && previous > '\x7f') sum -= 0.8;
    previous = character;
  }
  // A few characters prove little, because any two bytes may form a character.
  return count === 0 ? -1 : sum / count - 0.5 / count;
}

function eastAsianWeight(character: string, name: string): number {
  if (/[、。「」『』（）・ー，．：；？！“”‘’《》〈〉…　０-９Ａ-Ｚａ-ｚ％]/.test(character))
    return 0.5;
  if (/[ｦ-ﾟ]/.test(character)) return -0.6;
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character)) return /jis|jp/.test(name) ? 0.9 : -0.3;
  if (/\p{sc=Hangul}/u.test(character)) return name === 'euc-kr' ? 0.45 : -1;
  if (/[\u4e00-\u9fff]/.test(character)) return name === 'euc-kr' ? -0.5 : 0.05;
  return -0.8;
}

/** Returns the score of the best-matching language that is written in the encoding. */
function scoreAlphabetic(text: string, languages: readonly Language[]): number {
  const words = text.normalize('NFC').match(/[\p{L}\p{M}]+|[\u0080-\uffff]/gu) ?? [];
  const nonAscii = words.filter((word) => /[\u0080-\uffff]/.test(word));
  const scores = languages.map((language) => scoreOf(words, nonAscii, language));
  return Math.max(...scores) - 3 * brokenShare(text);
}

/**
 * Returns the share of non-ASCII letters that touch symbols in a way that no word does, or where
 * the case changes inside a word.
 */
function brokenShare(text: string): number {
  const letters = text.match(/[\u0080-\uffff]/g)?.length ?? 1;
  const symbolsInside =
    text.match(/\p{L}[¡-©«¬®-´¶¸¹»-¿×÷\u2020-\u2026\u2030\u20ac\u2122]\p{L}/gu)?.length ?? 0;
  const caseChanges =
    text.match(/\p{Ll}\p{Lu}(?=[\p{Ll}]|\b)/gu)?.filter((pair) => /[\u0080-\uffff]/.test(pair))
      .length ?? 0;
  const mixedScripts =
    text
      .match(/[a-z][\u0370-\u0eff]|[\u0370-\u0eff][a-z]/gi)
      ?.filter((pair) => /\p{L}\p{L}/u.test(pair)).length ?? 0;
  const besideDigits = text.match(
    /(?<!\p{L})(?![a-z])\p{sc=Latin}\d|\d(?![a-z])\p{sc=Latin}(?!\p{L})/giu,
  );
  const digitPairs = besideDigits?.filter((pair) => /[\u0080-\uffff]/.test(pair)).length ?? 0;
  return (symbolsInside + caseChanges + mixedScripts + digitPairs) / letters;
}

const capitals = /\p{Lu}/u;

function scoreOf(
  words: readonly string[],
  nonAscii: readonly string[],
  language: Language,
): number {
  const isLatin = language.words !== undefined;
  let sum = 0;
  let count = 0;
  for (const word of nonAscii) {
    let run = 0;
    // Only the most frequent letters occur as one-letter words. Others indicate another encoding.
    const isRare = word.length === 1 && language.letters.indexOf(word.toLowerCase()) > 6;
    if (isRare) sum -= 0.8;
    for (const character of word) {
      if (character <= '\x7f') {
        run = 0;
        continue;
      }
      count += 1;
      run += 1;
      sum += letterWeight(character, language);
      // Words in Latin script rarely have several non-ASCII letters in a row.
      if (isLatin && run > 2) sum -= 1.5;
    }
    if (!isLatin && word.length > 1 && capitals.test(word[1]!) && !capitals.test(word[0]!))
      sum -= 1;
  }
  if (count === 0) return -1;
  if (!language.words) return sum / count;
  const frequent = new Set(language.words.split(' '));
  const knownWords = words.filter((word) => frequent.has(word.toLowerCase())).length;
  const total = Math.max(8, words.length);
  return sum / count + Math.min(0.4, (knownWords / total) * 1.2);
}

function letterWeight(character: string, { letters }: Language): number {
  if (!/[\p{L}\p{M}]/u.test(character))
    return /[\u00a0«»“”„‘’‚–—…€£§°©®·•№½²³µ¿¡×]/.test(character) ? 0.4 : -0.6;
  const lower = character.toLowerCase();
  const rank = letters.indexOf(lower);
  return rank < 0 ? -0.9 : 0.8 - (0.7 * rank) / letters.length;
}
