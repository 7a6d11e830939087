import { digitFor, lettersFor, looksLikeDigit } from './confusions.ts';
import type { TextView } from './view.ts';

/**
 * Forms of identifiers, one character per position: `9` is a digit, `A` a letter, `X` either. A
 * space is an optional separator, `-` a required separator. Any other character stands for itself
 * and is optional.
 */
export interface CompiledForm {
  /** Matches the form anywhere in a text, except inside a longer number or word. */
  pattern: RegExp;
  /** Returns the possible readings of a match, without separators and in upper case. */
  canonical(text: string, start: number, end: number): string[];
}

const letters = 'A-Za-z';
const looksLikeLetter = `${letters}${Object.keys(lettersFor).join('')}`;

/** Exclude matches inside a longer word or number, or a number with decimals or dashes. */
const boundaryBefore = `(?<![A-Za-z0-9\\u00c0-\\u024f])(?<![0-9][.,/-])`;
const boundaryAfter = `(?![A-Za-z0-9\\u00c0-\\u024f])(?![.,/-][0-9])`;

const exactClasses: Readonly<Record<string, string>> = { '9': '[0-9]', A: `[${letters}]` };
const misreadClasses: Readonly<Record<string, string>> = {
  '9': `[${looksLikeDigit}]`,
  A: `[${looksLikeLetter}]`,
};

function sourceOf(form: string, recognised: boolean): string {
  const classes = recognised ? misreadClasses : exactClasses;
  return [...form]
    .map((sign, index) => {
      const straySpace = recognised && /[9AX]/.test(form[index - 1] ?? '') ? ' ?' : '';
      if (sign === 'X') return `${straySpace}[A-Za-z0-9]`;
      if (sign === ' ') return recognised ? '(?: ?[-._\\n] ?| ?)' : '[ \\n-]?';
      if (sign === '-') return recognised ? '(?: ?[-._~\\u00b7] ?| )' : '[ -]';
      const characterClass = classes[sign];
      if (characterClass) return `${straySpace}${characterClass}`;
      return recognised ? `(?: ?\\${sign} ?| ?)` : `\\${sign}?`;
    })
    .join('');
}

/** Maximum number of readings of a match that are tried. */
const maxReadings = 16;
/** Maximum number of stray spaces in a match in recognised text. */
const maxStrays = 4;

/**
 * Returns the characters that a sign may represent where the form requires a digit, a letter or
 * either.
 */
function choicesFor(sign: string, kind: string): string[] {
  const digit = digitFor[sign];
  if (kind === '9') return [digit ?? sign];
  if (kind === 'A') return [...(lettersFor[sign] ?? sign.toUpperCase())];
  return digit ? [sign.toUpperCase(), digit] : [sign.toUpperCase()];
}

/** Returns the possible readings of a match, given the kinds of characters in the form. */
function possibleReadings(matched: string, kinds: string): string[] {
  const positions = Array.from(kinds, (kind, index) => ({ kind, sign: matched[index] ?? '' }));
  // Two thirds of the digits and half of the letters must already be correct. Otherwise, words
  // would match as numbers.
  const ofKind = (wantedKind: string) => positions.filter(({ kind }) => kind === wantedKind);
  const letters = ofKind('A').filter(({ sign }) => /[A-Z]/.test(sign));
  if (matched.replace(/\D/g, '').length * 3 < ofKind('9').length * 2) return [];
  if (letters.length * 2 < ofKind('A').length) return [];
  // A word is not a group of letters: lower-case text must match exactly.
  if (ofKind('A').some(({ sign }) => /[a-km-z]/.test(sign))) return [];
  if (ofKind('X').some(({ sign }) => /[a-z]/.test(sign) && !digitFor[sign])) return [];
  let results = [''];
  for (const { kind, sign } of positions) {
    const choices = choicesFor(sign, kind);
    if (results.length * choices.length > maxReadings) choices.length = 1;
    results = results.flatMap((start) => choices.map((choice) => start + choice));
  }
  return results;
}

/**
 * Whether the spaces in recognised text can be stray: only a few, or one after each character as in
 * the boxes of a paper form, with no further character before or after.
 */
export function canBeSplit(text: string, start: number, end: number, separators: number): boolean {
  let spaces = 0;
  for (let at = start; at < end; at += 1) if (text[at] === ' ') spaces += 1;
  if (spaces <= separators + maxStrays) return true;
  if (end - start !== 2 * spaces + 1) return false;
  const isSingle = (sign: number, beyond: number) =>
    /\w/.test(text[sign] ?? '') && !/\w/.test(text[beyond] ?? '');
  const hasCharacterBefore = text[start - 1] === ' ' && isSingle(start - 2, start - 3);
  const hasCharacterAfter = text[end] === ' ' && isSingle(end + 1, end + 2);
  return !hasCharacterBefore && !hasCharacterAfter;
}

/** Compiles a form for printed text, or for text that was recognised in a picture. */
function compileForm(form: string, recognised: boolean): CompiledForm {
  const kinds = form.replace(/[^9AX]/g, '');
  const separators = form.replace(/[^ -]/g, '').length;
  const printed = new RegExp(`^${sourceOf(form, false)}$`);
  const separatorPattern = recognised ? /[^A-Za-z0-9|!]/g : /[^A-Za-z0-9]/g;
  return {
    pattern: new RegExp(`${boundaryBefore}${sourceOf(form, recognised)}${boundaryAfter}`, 'g'),
    canonical(text, from, to) {
      if (recognised && !canBeSplit(text, from, to, separators)) return [];
      const matched = text.slice(from, to);
      const compact = matched.replace(separatorPattern, '');
      if (!recognised) return [compact.toUpperCase()];
      const possible = possibleReadings(compact, kinds);
      return printed.test(matched) ? [compact.toUpperCase(), ...possible] : possible;
    },
  };
}

/** Returns a function that returns the compiled form for a view. */
export function formReader(form: string): (view: TextView) => CompiledForm {
  const printedForm = compileForm(form, false);
  let recognisedForm: CompiledForm | undefined;
  return (view) => {
    if (!view.recognised) return printedForm;
    recognisedForm ??= compileForm(form, true);
    return recognisedForm;
  };
}
