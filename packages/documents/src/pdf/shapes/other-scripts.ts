import type { Verdict } from './verdict.ts';

/** The models that read each script. Most of these scripts are missing from the reference fonts. */
const scripts: readonly { is: RegExp; models: readonly string[] }[] = [
  { is: /\p{Script=Han}/u, models: ['chi_sim', 'chi_tra', 'jpn'] },
  { is: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, models: ['jpn'] },
  { is: /\p{Script=Hangul}/u, models: ['kor'] },
  { is: /\p{Script=Arabic}/u, models: ['ara', 'fas', 'urd'] },
  { is: /\p{Script=Hebrew}/u, models: ['heb'] },
  { is: /\p{Script=Devanagari}/u, models: ['hin', 'mar', 'nep'] },
  { is: /\p{Script=Thai}/u, models: ['tha'] },
  { is: /\p{Script=Cyrillic}/u, models: ['rus', 'ukr', 'bel', 'bul', 'srp', 'mkd'] },
  { is: /\p{Script=Greek}/u, models: ['ell'] },
];
const compared = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const comparedOrShared =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]/u;
/** Minimum number of consecutive letters. Shorter sequences are signs, as in a formula. */
const minInRow = 3;
/** Minimum ratio of letters that look like themselves to letters that look like other letters. */
const timesMore = 3;
/**
 * The reciprocal of the minimum share of letters that look like themselves. Fonts of these scripts
 * vary widely.
 */
const minAlike = 4;

/** Whether only a recogniser can confirm that the drawing of a letter matches the letter. */
export const isOfOtherScript = (text: string): boolean =>
  /\p{L}/u.test(text) && !comparedOrShared.test(text);

/** Whether the script of a letter is in the reference fonts, but few installed models read it. */
export const isOfComparedScript = (text: string): boolean => compared.test(text);

/**
 * Returns the letters of these scripts that are next to each other, and may therefore spell a text.
 */
export function comparedInRows<Letter extends { text: string }>(
  letters: readonly Letter[],
): Set<Letter> {
  const found = new Set<Letter>();
  let row: Letter[] = [];
  const end = (): void => {
    if (row.length >= minInRow) for (const letter of row) found.add(letter);
    row = [];
  };
  for (const letter of letters) {
    if (isOfComparedScript(letter.text)) row.push(letter);
    else end();
  }
  end();
  return found;
}

/** The distinct letters of a font, grouped by the verdicts on their drawings. */
type LettersShown = Readonly<Record<Verdict, { size: number }>>;

/** Whether the letters of a compared script in a font match the declarations of the font. */
export function matchFont({ agrees, differs, unclear }: LettersShown): boolean {
  const all = agrees.size + differs.size + unclear.size;
  return agrees.size >= timesMore * differs.size && minAlike * agrees.size >= all;
}

/** Returns the installed models for the scripts of the letters in a text. */
export function modelsFor(text: string, installed: readonly string[]): string[] {
  const wanted = new Set(scripts.filter(({ is }) => is.test(text)).flatMap(({ models }) => models));
  return installed.filter((model) => wanted.has(model));
}

/** Whether a text contains letters of a script that runs from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
