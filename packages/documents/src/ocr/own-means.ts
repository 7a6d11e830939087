/** The options with which a page was recognised. */
export interface HowRead {
  languages: readonly string[];
  /** Whether the orientation was detected. */
  rotate: boolean;
  existingText: 'skip' | 'redo' | 'force';
}

/** Minimum confidence; words below it may be misread letters of an unknown script. */
const minSure = 0.6;

/** Whether a recognised word was read with confidence. */
export const isSure = ({ confidence, text }: { confidence: number; text: string }): boolean =>
  confidence >= minSure && /[\p{L}\p{N}]/u.test(text);

/** The language that pages are always read with, in addition to others. */
const always = 'eng';
/** Maximum number of languages in one recognition. */
const maxLanguages = 5;

/** Returns the languages to read a page with when redaction or classification relies on it. */
export function ownLanguages(
  asked: readonly string[],
  installed: readonly string[],
): readonly string[] {
  if (asked.includes(always) || !installed.includes(always)) return asked;
  return [...asked.slice(0, maxLanguages - 1), always];
}

/**
 * Whether a recognition is as reliable as redaction's own. Clients choose the options of `ocr` and
 * must not be able to have a page misread. `redo` skips areas with visible text, which may differ
 * from that of the picture.
 */
export function isReadByOwnMeans(how: HowRead, installed: readonly string[]): boolean {
  const own = ownLanguages(how.languages, installed);
  return (
    how.rotate &&
    how.existingText !== 'redo' &&
    own.every((language) => how.languages.includes(language))
  );
}
