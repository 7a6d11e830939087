import type { Verdict } from './verdict.ts';

/**
 * The models that read scripts; most of these scripts are missing from the fonts that shapes are
 * compared with.
 */
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
/** Minimum number of consecutive letters; fewer are signs, as in a formula. */
const minInRow = 3;
/** Minimum ratio of letters that look like themselves to letters that look like others. */
const timesMore = 3;
/** Minimum share of them, as one in so many: fonts of these scripts are drawn in many ways. */
const minAlike = 4;

/** Whether only a recogniser can confirm that a letter is drawn as itself. */
export const isOfOtherScript = (text: string): boolean =>
  /\p{L}/u.test(text) && !comparedOrShared.test(text);

/** Whether a letter is of a script that known fonts have, but hardly any available model reads. */
export const isOfComparedScript = (text: string): boolean => compared.test(text);

/**
 * Returns the letters of these scripts that are next to others of them, so that they may spell
 * something.
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

/** The different letters of a font by what their drawings show. */
type LettersShown = Readonly<Record<Verdict, { size: number }>>;

/** Whether the letters of a compared script in a font match what the font declares. */
export function matchFont({ agrees, differs, unclear }: LettersShown): boolean {
  const all = agrees.size + differs.size + unclear.size;
  return agrees.size >= timesMore * differs.size && minAlike * agrees.size >= all;
}

/** Returns the installed models for the letters of such scripts in a text. */
export function modelsFor(text: string, installed: readonly string[]): string[] {
  const wanted = new Set(scripts.filter(({ is }) => is.test(text)).flatMap(({ models }) => models));
  return installed.filter((model) => wanted.has(model));
}

/** Whether letters of a script run from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
