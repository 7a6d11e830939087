import type { FileReading } from './stream.ts';

/** The strings of a file, visible and hidden. */
export interface Texts {
  shown: string[];
  hidden: string[];
}

/** A kind of file that can be redacted and checked. */
export interface RedactableKind {
  /**
   * Reads a file into pieces.
   * @throws EngineError if the file cannot be read
   */
  read(bytes: Uint8Array): FileReading;
  /** Returns all text of a file in decoded form, for searching an output. */
  textsOf(bytes: Uint8Array): Texts;
  /** Returns descriptions of content that no output may contain. */
  disallowedIn(bytes: Uint8Array): string[];
}

/**
 * Separator of texts. Contains a letter that does not occur in any value, so that no value spans
 * two texts.
 */
export const textSeparator = ' ʘ ';
