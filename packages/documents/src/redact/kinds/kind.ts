import type { FileReading } from './stream.ts';

/** The strings of a file: visible and hidden. */
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
  /** Returns what a file contains that no output may contain. */
  strangersIn(bytes: Uint8Array): string[];
}

/** A letter that occurs in no value: separates texts, so that no value spans two of them. */
export const barrier = ' ʘ ';
