import type { Verdict } from './verdict.ts';

/** The models that read each script. Most of these scripts are missing from the reference fonts. */
const scripts: readonly { pattern: RegExp; models: readonly string[] }[] = [
  { pattern: /\p{Script=Han}/u, models: ['chi_sim', 'chi_tra', 'jpn'] },
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, models: ['jpn'] },
  { pattern: /\p{Script=Hangul}/u, models: ['kor'] },
  { pattern: /\p{Script=Arabic}/u, models: ['ara', 'fas', 'urd'] },
  { pattern: /\p{Script=Hebrew}/u, models: ['heb'] },
  { pattern: /\p{Script=Devanagari}/u, models: ['hin', 'mar', 'nep'] },
  { pattern: /\p{Script=Thai}/u, models: ['tha'] },
  { pattern: /\p{Script=Cyrillic}/u, models: ['rus', 'ukr', 'bel', 'bul', 'srp', 'mkd'] },
  { pattern: /\p{Script=Greek}/u, models: ['ell'] },
];
const comparedScripts = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const comparedOrSharedScripts =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]/u;
/** Minimum number of consecutive letters. Shorter sequences are symbols, as in a formula. */
const minConsecutive = 3;
/** Minimum ratio of letters that look like themselves to letters that look like other letters. */
const minAgreeRatio = 3;
/**
 * The reciprocal of the minimum share of letters that look like themselves. Fonts of these scripts
 * vary widely.
 */
const inverseMinShare = 4;

/** Whether only a recogniser can confirm that the drawing of a letter matches the letter. */
export const isOfOtherScript = (text: string): boolean =>
  /\p{L}/u.test(text) && !comparedOrSharedScripts.test(text);

/** Whether the script of a letter is in the reference fonts, but few installed models read it. */
export const isOfComparedScript = (text: string): boolean => comparedScripts.test(text);

/**
 * Returns the letters of compared scripts that are next to each other and so may spell a text.
 */
export function adjacentComparedLetters<Letter extends { text: string }>(
  letters: readonly Letter[],
): Set<Letter> {
  const adjacent = new Set<Letter>();
  let sequence: Letter[] = [];
  const endSequence = (): void => {
    if (sequence.length >= minConsecutive) for (const letter of sequence) adjacent.add(letter);
    sequence = [];
  };
  for (const letter of letters) {
    if (isOfComparedScript(letter.text)) sequence.push(letter);
    else endSequence();
  }
  endSequence();
  return adjacent;
}

/** The distinct letters of a font, grouped by the verdicts on their drawings. */
type LettersByVerdict = Readonly<Record<Verdict, { size: number }>>;

/** Whether the letters of a compared script in a font match the declarations of the font. */
export function fontMatches({ agrees, differs, unclear }: LettersByVerdict): boolean {
  const total = agrees.size + differs.size + unclear.size;
  return agrees.size >= minAgreeRatio * differs.size && inverseMinShare * agrees.size >= total;
}

/** Returns the installed models for the scripts of the letters in a text. */
export function modelsFor(text: string, installed: readonly string[]): string[] {
  const wantedModels = new Set(
    scripts.filter(({ pattern }) => pattern.test(text)).flatMap(({ models }) => models),
  );
  return installed.filter((model) => wantedModels.has(model));
}

/** Whether a text contains letters of a script that runs from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
