import type { EmbeddedFiles } from './embedded/files.ts';
import type { FileReading } from './stream.ts';

/** The strings of a file, visible and hidden. */
export interface Texts {
  shown: string[];
  hidden: string[];
}

/** Whether an embedded file passed its own checks. */
export type IsProven = (bytes: Uint8Array) => boolean;
export const noneProven: IsProven = () => false;

/** A kind of file that can be redacted and checked. */
export interface RedactableKind {
  /**
   * Reads a file into pieces.
   * @param embedded the redactions of the files inside it. Default: none, so they are left out
   * @throws EngineError if the file cannot be read
   */
  read(bytes: Uint8Array, embedded?: EmbeddedFiles): FileReading;
  /** Returns all text of a file in decoded form, for searching an output without its pictures. */
  textsOf(bytes: Uint8Array): Texts;
  /**
   * Returns descriptions of content that no output may contain.
   * @param isProven whether an embedded file passed its own checks. Default: none did
   */
  disallowedIn(bytes: Uint8Array, isProven?: IsProven): string[];
}

/**
 * Separator of texts. Contains a letter that does not occur in any value, so that no value spans
 * two texts.
 */
export const textSeparator = ' ʘ ';
