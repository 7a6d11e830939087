import { digitFor, lettersFor, looksLikeDigit } from './confusions.ts';
import type { View } from './view.ts';

/**
 * Forms of identifiers, a character for each of theirs: `9` a digit, `A` a letter, `X` either; a
 * space stands for a separator that may be missing, `-` for one that must be there. Anything else is
 * itself, and need not be there.
 */
export interface Form {
  /** Matches the form anywhere in a text, not inside a longer number or word. */
  pattern: RegExp;
  /** What was found as the identifier is written without separators, in upper case. */
  canonical(found: string): string[];
}

const letters = 'A-Za-z';
const looksLikeLetter = `${letters}${Object.keys(lettersFor).join('')}`;

/** No number or word goes on at either end, nor a number with decimals or dashes. */
const begin = `(?<![A-Za-z0-9\\u00c0-\\u024f])(?<![0-9][.,/-])`;
const end = `(?![A-Za-z0-9\\u00c0-\\u024f])(?![.,/-][0-9])`;

const exactly: Readonly<Record<string, string>> = { '9': '[0-9]', A: `[${letters}]` };
const nearly: Readonly<Record<string, string>> = {
  '9': `[${looksLikeDigit}]`,
  A: `[${looksLikeLetter}]`,
};

function sourceOf(form: string, recognised: boolean): string {
  const classes = recognised ? nearly : exactly;
  return [...form]
    .map((sign, index) => {
      const split = recognised && index > 0 && !/[ -]/.test(form[index - 1] ?? '') ? ' ?' : '';
      if (sign === 'X') return `${split}[A-Za-z0-9]`;
      if (sign === ' ') return recognised ? '[ \\n._-]{0,3}' : '[ \\n-]?';
      if (sign === '-') return recognised ? '(?: ?[-._~\\u00b7] ?| )' : '[ -]';
      const taken = classes[sign];
      return taken ? `${split}${taken}` : `${split}\\${sign}?`;
    })
    .join('');
}

/** At most this many readings of one text are tried. */
const maxReadings = 12;

/** What the characters of a text can stand for, by what the form wants in their places. */
function readings(found: string, kinds: string): string[] {
  let read = [''];
  let real = 0;
  let wanted = 0;
  for (const [index, kind] of [...kinds].entries()) {
    const sign = found[index] ?? '';
    if (kind === '9') {
      wanted += 1;
      if (/\d/.test(sign)) real += 1;
    }
    const choices =
      kind === '9'
        ? [digitFor[sign] ?? sign]
        : kind === 'A'
          ? [...(lettersFor[sign] ?? sign.toUpperCase())]
          : [sign.toUpperCase()];
    if (choices.length > 1 && read.length * choices.length > maxReadings) choices.length = 1;
    read = read.flatMap((start) => choices.map((choice) => start + choice));
  }
  // Half of the digits have to be digits, or words would be numbers.
  return real * 2 >= wanted ? read : [];
}

/** Compiles a form as it is printed, or as it is read from a picture. */
export function compileForm(form: string, recognised: boolean): Form {
  const kinds = form.replace(/[^9AX]/g, '');
  const others = recognised ? /[^A-Za-z0-9|!]/g : /[^A-Za-z0-9]/g;
  return {
    pattern: new RegExp(`${begin}${sourceOf(form, recognised)}${end}`, 'g'),
    canonical(found) {
      const joined = found.replace(others, '');
      return recognised ? readings(joined, kinds) : [joined.toUpperCase()];
    },
  };
}

/** The form as it has to be read in this view. */
export function formsFor(form: string): (view: View) => Form {
  const printed = compileForm(form, false);
  let read: Form | undefined;
  return (view) => {
    if (!view.recognised) return printed;
    read ??= compileForm(form, true);
    return read;
  };
}
