import type { FormField } from '../pdf/form-fields.ts';
import type { Box } from '../results.ts';
import type { ModelWord } from './page.ts';

/**
 * Returns the last part of a field's name, such as `BankAccount` for
 * `form1[0].page[0].BankAccount[0]`.
 */
export function labelOf(name: string): string {
  const last =
    name
      .replace(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? '';
  return last
    .replace(/[_:\s]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim();
}

const isCentreInside = ([x0, y0, x1, y1]: Box, [left, top, right, bottom]: Box): boolean => {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= left && x <= right && y >= top && y <= bottom;
};

/**
 * Returns the names of the form fields, and the indexes of the words in each field. Empty fields
 * are not included.
 */
export function filledFields(
  fields: readonly FormField[],
  words: readonly ModelWord[],
): { label: string; words: number[] }[] {
  return fields.flatMap(({ name, box }) => {
    const label = labelOf(name);
    const fieldWords = words.flatMap((word, at) => (isCentreInside(word.box, box) ? [at] : []));
    return fieldWords.length > 0 && /\p{L}{2}/u.test(label) ? [{ label, words: fieldWords }] : [];
  });
}
