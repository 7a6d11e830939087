/** How a page was read, by the options of its recognition. */
export interface HowRead {
  languages: readonly string[];
  /** Whether the reading found out which way up the page is. */
  rotate: boolean;
  existingText: 'skip' | 'redo' | 'force';
}

/** Words below this may be what a recogniser makes of letters that it does not know. */
export const leastSure = 0.6;

/** The language that values of every kind are read with, whatever others are expected. */
const always = 'eng';
/** So many languages are read with at once. */
const mostLanguages = 5;

/** The languages that a page is read with where others rely on the reading. */
export function ownLanguages(
  asked: readonly string[],
  installed: readonly string[],
): readonly string[] {
  if (asked.includes(always) || !installed.includes(always)) return asked;
  return [...asked.slice(0, mostLanguages - 1), always];
}

/**
 * Whether a reading is as good as redaction's own: a client chooses the options of `ocr`, and must not
 * be able to have a page misread by them. `redo` leaves out what stands where the page has visible
 * text, which may be another one than the picture's.
 */
export function isReadByOwnMeans(how: HowRead, installed: readonly string[]): boolean {
  const own = ownLanguages(how.languages, installed);
  return (
    how.rotate &&
    how.existingText !== 'redo' &&
    own.every((language) => how.languages.includes(language))
  );
}
