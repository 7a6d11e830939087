/** The options with which a page was recognised. */
export interface RecognitionOptions {
  languages: readonly string[];
  /** Whether the orientation was detected. */
  rotate: boolean;
  existingText: 'skip' | 'redo' | 'force';
}

/** Minimum confidence. Words below it may be misread letters of an unknown script. */
const minConfidence = 0.6;

/** Whether a recognised word was read with confidence. */
export const isSure = ({ confidence, text }: { confidence: number; text: string }): boolean =>
  confidence >= minConfidence && /[\p{L}\p{N}]/u.test(text);

/** The language that is added to every recognition. */
const requiredLanguage = 'eng';
/** Maximum number of languages per recognition. */
const maxLanguages = 5;

/** Returns the languages with which a page is read for redaction or classification. */
export function trustedLanguages(
  requested: readonly string[],
  installed: readonly string[],
): readonly string[] {
  if (requested.includes(requiredLanguage) || !installed.includes(requiredLanguage))
    return requested;
  return [...requested.slice(0, maxLanguages - 1), requiredLanguage];
}

/**
 * Whether a recognition is as reliable as the recognition that redaction runs. Clients choose the
 * options of `ocr` and must not be able to cause misreadings. `redo` skips areas with visible text,
 * whose text may differ from its appearance.
 */
export function isTrustedRecognition(
  options: RecognitionOptions,
  installed: readonly string[],
): boolean {
  const required = trustedLanguages(options.languages, installed);
  return (
    options.rotate &&
    options.existingText !== 'redo' &&
    required.every((language) => options.languages.includes(language))
  );
}
