import { decodeStrictly } from './decoders.ts';
import { type Language, legacy, multiByte, singleByte } from './languages.ts';

/**
 * The maximum number of bytes that a guess examines, from lines near the first non-ASCII
 * characters.
 */
const maxSample = 6_144;
/** The minimum score of a reading for the bytes to be text. */
const minScore = -0.2;

/** The minimum score of an old encoding, and its minimum lead over modern encodings. */
const minLegacy = 0.2;
const handicap = 0.3;

interface Guess {
  name: string;
  /** The plausibility of the reading: 1 at best; below 0 it is hardly text. */
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
    const text = decoded(sample, name);
    if (text !== null) best = better(best, { name, score: eastAsian(text, frequent, name) });
  }
  for (const [name, languages] of Object.entries(singleByte)) {
    const text = decoded(sample, name);
    if (text === null) continue;
    const usual = name === 'windows-1252' ? 0.05 : 0;
    best = better(best, { name, score: alphabetic(text, languages) + usual });
  }
  const older = guessLegacy(sample);
  if (older && older.score > Math.max(minLegacy, (best?.score ?? -1) + handicap)) {
    return older.name;
  }
  return best && best.score >= minScore ? best.name : null;
}

function guessLegacy(sample: Uint8Array): Guess | null {
  let best: Guess | null = null;
  for (const [name, languages] of Object.entries(legacy)) {
    const text = decoded(sample, name);
    // Box-drawing and shading characters do not indicate another encoding.
    const plain = text?.replace(/[\u2500-\u25a0]/g, ' ') ?? null;
    if (plain === null || !/[^\0-\x7f]/.test(plain)) continue;
    best = better(best, { name, score: alphabetic(plain, languages) });
  }
  return best;
}

const better = (best: Guess | null, guess: Guess): Guess =>
  best === null || guess.score > best.score + 1e-9 ? guess : best;

/**
 * Returns whole lines, from the first line with non-ASCII characters, without lines of pure ASCII.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(maxSample);
  let length = 0;
  for (let at = 0; at < bytes.length && length < maxSample; ) {
    const found = bytes.indexOf(10, at);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(at, Math.min(end, at + maxSample - length));
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
function decoded(sample: Uint8Array, name: string): string | null {
  const text = decodeStrictly(sample, name, false);
  // Control characters of ISO 6429 and private-use characters do not occur in text.
  return text === null || /[\u0080-\u009f\ue000-\uf8ff\ufffd]/.test(text) ? null : text;
}

/**
 * Returns the mean score of the non-ASCII characters: frequent characters raise it, rare ones lower
 * it.
 */
function eastAsian(text: string, frequent: string, name: string): number {
  const common = new Set(frequent);
  let sum = 0;
  let count = 0;
  let before = '';
  for (const character of text) {
    if (character > '\x7f') {
      count += 1;
      sum += common.has(character) ? 1 : weightOf(character, name);
      // Latin letters rarely touch these scripts. A misread accented letter would touch them.
      if (/[a-z]/.test(before)) sum -= 0.8;
    } else if (/[a-z]/.test(character) && before > '\x7f') sum -= 0.8;
    before = character;
  }
  // A few characters prove little, because any two bytes may form a character.
  return count === 0 ? -1 : sum / count - 0.5 / count;
}

function weightOf(character: string, name: string): number {
  if (/[、。「」『』（）・ー，．：；？！“”‘’《》〈〉…　０-９Ａ-Ｚａ-ｚ％]/.test(character))
    return 0.5;
  if (/[ｦ-ﾟ]/.test(character)) return -0.6;
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character)) return /jis|jp/.test(name) ? 0.9 : -0.3;
  if (/\p{sc=Hangul}/u.test(character)) return name === 'euc-kr' ? 0.45 : -1;
  if (/[\u4e00-\u9fff]/.test(character)) return name === 'euc-kr' ? -0.5 : 0.05;
  return -0.8;
}

/** Returns the score of the best-matching language that is written in the encoding. */
function alphabetic(text: string, languages: readonly Language[]): number {
  const words = text.normalize('NFC').match(/[\p{L}\p{M}]+|[\u0080-\uffff]/gu) ?? [];
  const foreign = words.filter((word) => /[\u0080-\uffff]/.test(word));
  const scores = languages.map((language) => scoreOf(words, foreign, language));
  return Math.max(...scores) - 3 * brokenWords(text);
}

/**
 * Returns the share of non-ASCII letters that touch symbols in a way that no word does, or where
 * the case changes inside a word.
 */
function brokenWords(text: string): number {
  const letters = text.match(/[\u0080-\uffff]/g)?.length ?? 1;
  const inside =
    text.match(/\p{L}[¡-©«¬®-´¶¸¹»-¿×÷\u2020-\u2026\u2030\u20ac\u2122]\p{L}/gu)?.length ?? 0;
  const turned =
    text.match(/\p{Ll}\p{Lu}(?=[\p{Ll}]|\b)/gu)?.filter((pair) => /[\u0080-\uffff]/.test(pair))
      .length ?? 0;
  const mixed =
    text
      .match(/[a-z][\u0370-\u0eff]|[\u0370-\u0eff][a-z]/gi)
      ?.filter((pair) => /\p{L}\p{L}/u.test(pair)).length ?? 0;
  const beside = text.match(
    /(?<!\p{L})(?![a-z])\p{sc=Latin}\d|\d(?![a-z])\p{sc=Latin}(?!\p{L})/giu,
  );
  const counted = beside?.filter((pair) => /[\u0080-\uffff]/.test(pair)).length ?? 0;
  return (inside + turned + mixed + counted) / letters;
}

const capitals = /\p{Lu}/u;

function scoreOf(words: readonly string[], foreign: readonly string[], language: Language): number {
  const latin = language.words !== undefined;
  let sum = 0;
  let count = 0;
  for (const word of foreign) {
    let row = 0;
    // Only the most frequent letters occur as one-letter words. Others indicate another encoding.
    const isRare = word.length === 1 && language.letters.indexOf(word.toLowerCase()) > 6;
    if (isRare) sum -= 0.8;
    for (const character of word) {
      if (character <= '\x7f') {
        row = 0;
        continue;
      }
      count += 1;
      row += 1;
      sum += weight(character, language);
      // Words in Latin script rarely have several non-ASCII letters in a row.
      if (latin && row > 2) sum -= 1.5;
    }
    if (!latin && word.length > 1 && capitals.test(word[1]!) && !capitals.test(word[0]!)) sum -= 1;
  }
  if (count === 0) return -1;
  if (!language.words) return sum / count;
  const frequent = new Set(language.words.split(' '));
  const known = words.filter((word) => frequent.has(word.toLowerCase())).length;
  const all = Math.max(8, words.length);
  return sum / count + Math.min(0.4, (known / all) * 1.2);
}

function weight(character: string, { letters }: Language): number {
  if (!/[\p{L}\p{M}]/u.test(character))
    return /[\u00a0«»“”„‘’‚–—…€£§°©®·•№½²³µ¿¡×]/.test(character) ? 0.4 : -0.6;
  const lower = character.toLowerCase();
  const rank = letters.indexOf(lower);
  return rank < 0 ? -0.9 : 0.8 - (0.7 * rank) / letters.length;
}
