import type { EntityType, FoundType } from '../../contracts/entities.ts';

/** Personal data in a text: where it stands, in UTF-16 units, the end left out. */
export interface Finding {
  type: FoundType;
  start: number;
  end: number;
  /** 0 to 1: how sure the recogniser is. */
  score: number;
}

/** A pattern of a client's own: RE2 syntax, which takes linear time. */
export interface CustomPattern {
  /** Upper case; findings are of the type `CUSTOM_<name>`. */
  name: string;
  pattern: string;
  case_sensitive: boolean;
}

/** What to look for. */
export interface DetectorOptions {
  entities: 'all' | readonly EntityType[];
  /** Findings below are left out. */
  minConfidence: number;
  customPatterns: readonly CustomPattern[];
  /** Texts that are never personal data: compared without case and white space at the ends. */
  allowList: readonly string[];
}

/**
 * Finds personal data in a text; findings do not overlap and come in order. `recognised` says of text
 * that it was read from a picture, where 0 may be O and numbers may be split.
 */
export type Detector = (text: string, how?: { recognised?: boolean }) => Finding[];
