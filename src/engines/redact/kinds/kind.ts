import type { FileReading } from './stream.ts';

/** The strings of a file: those that readers see, and those that they do not. */
export interface Texts {
  shown: string[];
  hidden: string[];
}

/** How a kind of file is redacted and checked. */
export interface RedactableKind {
  /** Reads a file into pieces. Throws EngineError. */
  read(bytes: Uint8Array): FileReading;
  /** All text of a file, decoded, to search an output. */
  textsOf(bytes: Uint8Array): Texts;
  /** What a file contains that no output may contain. */
  strangersIn(bytes: Uint8Array): string[];
}

/** A letter that occurs in no value: separates texts, so that no value spans two of them. */
export const barrier = ' ʘ ';
