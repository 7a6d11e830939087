/** Scripts whose letters are in none of the fonts that shapes are compared with, and the models that read them. */
const scripts: readonly { is: RegExp; models: readonly string[] }[] = [
  { is: /\p{Script=Han}/u, models: ['chi_sim', 'chi_tra', 'jpn'] },
  { is: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, models: ['jpn'] },
  { is: /\p{Script=Hangul}/u, models: ['kor'] },
  { is: /\p{Script=Arabic}/u, models: ['ara', 'fas', 'urd'] },
];

/** Whether nothing but a recogniser can tell that a letter is drawn as what it is. */
export const isOfOtherScript = (text: string): boolean => scripts.some(({ is }) => is.test(text));

/** The installed models for the letters of such scripts in a text. */
export function modelsFor(text: string, installed: readonly string[]): string[] {
  const wanted = new Set(scripts.filter(({ is }) => is.test(text)).flatMap(({ models }) => models));
  return installed.filter((model) => wanted.has(model));
}

/** Whether letters of a script run from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
