/** The kinds of section numbers: `1.2`, `B`, `IV`, `a`, or a number after the word `Chapter`. */
export type NumberForm = 'chapter' | 'appendix' | 'digit' | 'letter' | 'roman' | 'lower';

/** The number before a heading. The path of `A.1` is [1, 1]. */
export type PartNumber = { form: NumberForm; path: readonly number[]; remainder: string };

const chapterWords =
  'chapter|section|part|kapitel|abschnitt|teil|chapitre|partie|capítulo|capitolo|parte|hoofdstuk|article|artikel|глава|часть';
const appendixWords =
  'appendix|annex|anhang|annexe|apéndice|apêndice|anexo|appendice|bijlage|приложение';
const numberAndRest = '(\\d{1,3}|[IVXLC]{1,7}|[A-Z])(?![\\p{L}\\d])(?:[.:)]|\\s*[-–—])?\\s*(.*)$';
const chapter = new RegExp(`^(?:${chapterWords})\\s+${numberAndRest}`, 'iu');
const appendix = new RegExp(`^(?:${appendixWords})\\s+${numberAndRest}`, 'iu');
const dotted =
  /^(?:§\s*)?(\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,5})[.:)]?(?:\s*[-–—|])?\s+(?=\S)(.+)$/u;
const roman = /^([IVXLC]{1,7})((?:\.\d{1,3}){1,4}\.?|[.:)])\s+(?=\S)(.+)$/u;
const letter = /^([A-Z])(?:[.:)]\s+(?=\S)|\s+(?=\p{Lu}{2}|\p{Lu}\p{Ll}+(?:\s\p{Lu}|$)))(.+)$/u;
const lower = /^([a-z])[.)]\s+(?=\S)(.+)$/u;

/**
 * Not section numbers: amounts and days (`24 de novembro de 2018`, `3. Mai`, `12 apples`), and
 * names (`A. N. Author`).
 */
const amountOrDate = /^\d{1,3}\.?\s+(?:(?:de\s+)?\p{L}+\.?\s+(?:de\s+)?\d{4}\b|\p{Ll})/u;
const initials = /^\p{Lu}\.[\s-]?(?:\p{Lu}\.\s?)+/u;

const values: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100 };

function romanValue(text: string): number {
  let sum = 0;
  for (const [at, digit] of [...text].entries()) {
    const value = values[digit] ?? 0;
    sum += value < (values[text[at + 1] ?? ''] ?? 0) ? -value : value;
  }
  return sum;
}

const letterValue = (text: string): number => text.toUpperCase().charCodeAt(0) - 64;

const numberIn = (text: string): number =>
  /^\d/.test(text) ? Number(text) : text.length === 1 ? letterValue(text) : romanValue(text);

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Parses the number at the start of a text; undefined without a number. */
export function numberOf(text: string): PartNumber | undefined {
  if (amountOrDate.test(text) || initials.test(text)) return undefined;
  for (const [form, pattern] of [
    ['chapter', chapter],
    ['appendix', appendix],
  ] as const) {
    const [, number, remainder = ''] = pattern.exec(text) ?? [];
    if (number !== undefined) return { form, path: [numberIn(number)], remainder };
  }
  const dottedMatch = dotted.exec(text);
  if (dottedMatch) {
    const [, number = '', remainder = ''] = dottedMatch;
    if (/^\d/.test(number)) return { form: 'digit', path: numbersIn(number), remainder };
    return {
      form: 'letter',
      path: [letterValue(number), ...numbersIn(number)],
      remainder,
    };
  }
  const romanMatch = roman.exec(text);
  // `C.` and `V.` alone are letters rather than Roman numerals.
  if (
    romanMatch &&
    (romanMatch[1]?.length !== 1 || romanMatch[1] === 'I' || /\d/.test(romanMatch[2] ?? ''))
  ) {
    const path = [romanValue(romanMatch[1] ?? ''), ...numbersIn(romanMatch[2] ?? '')];
    return { form: 'roman', path, remainder: romanMatch[3] ?? '' };
  }
  const letterMatch = letter.exec(text);
  if (letterMatch)
    return {
      form: 'letter',
      path: [letterValue(letterMatch[1] ?? '')],
      remainder: letterMatch[2] ?? '',
    };
  const lowerMatch = lower.exec(text);
  if (lowerMatch)
    return {
      form: 'lower',
      path: [letterValue(lowerMatch[1] ?? '')],
      remainder: lowerMatch[2] ?? '',
    };
  return undefined;
}

/** Whether `next` follows `last` in a series of the same depth: 1.2 after 1.1, 2.1 after 1.4. */
export function follows(last: PartNumber | undefined, next: PartNumber): boolean {
  const end = next.path.at(-1) ?? 0;
  if (!last || last.form !== next.form || last.path.length !== next.path.length) return end === 1;
  const before = last.path.at(-1) ?? 0;
  const sameParent = last.path.slice(0, -1).join() === next.path.slice(0, -1).join();
  return sameParent ? end === before + 1 : end === 1;
}

/** Whether `next` is the first subsection of `last`, as 1.1 is of 1. */
export function isFirstPart(last: PartNumber, next: PartNumber): boolean {
  return next.path.join() === [...last.path, 1].join() && next.form === last.form;
}
