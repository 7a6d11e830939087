/** The options with which a page was recognised. */
export interface HowRead {
  languages: readonly string[];
  /** Whether the orientation was detected. */
  rotate: boolean;
  existingText: 'skip' | 'redo' | 'force';
}

/** Minimum confidence. Words below it may be misread letters of an unknown script. */
const minSure = 0.6;

/** Whether a recognised word was read with confidence. */
export const isSure = ({ confidence, text }: { confidence: number; text: string }): boolean =>
  confidence >= minSure && /[\p{L}\p{N}]/u.test(text);

/** The language that is added to every recognition. */
const always = 'eng';
/** Maximum number of languages per recognition. */
const maxLanguages = 5;

/** Returns the languages with which a page is read for redaction or classification. */
export function ownLanguages(
  asked: readonly string[],
  installed: readonly string[],
): readonly string[] {
  if (asked.includes(always) || !installed.includes(always)) return asked;
  return [...asked.slice(0, maxLanguages - 1), always];
}

/**
 * Whether a recognition is as reliable as the recognition that redaction runs. Clients choose the
 * options of `ocr` and must not be able to cause misreadings. `redo` skips areas with visible text,
 * whose text may differ from its appearance.
 */
export function isReadByOwnMeans(how: HowRead, installed: readonly string[]): boolean {
  const own = ownLanguages(how.languages, installed);
  return (
    how.rotate &&
    how.existingText !== 'redo' &&
    own.every((language) => how.languages.includes(language))
  );
}
