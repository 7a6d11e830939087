import type { EntityType, FoundType } from '@scriptorium/contracts/documents/entities';
import type { Narrowing } from '@scriptorium/contracts/documents/profiles';

/** Personal data in a text: its range in UTF-16 units, end exclusive. */
export interface PiiFinding {
  type: FoundType;
  start: number;
  end: number;
  /** 0 to 1: the confidence of the recogniser. */
  score: number;
}

/** A client's pattern in RE2 syntax, which takes linear time. */
export interface CustomPattern {
  /** Upper case; findings are of the type `CUSTOM_<name>`. */
  name: string;
  pattern: string;
  case_sensitive: boolean;
}

/** The values to search for. */
export interface DetectorOptions {
  entities: 'all' | readonly EntityType[];
  /** Types of which only a part is searched for; none by default. */
  narrowed?: readonly Narrowing[] | undefined;
  /** Findings with a lower score are dropped. */
  minConfidence: number;
  customPatterns: readonly CustomPattern[];
  /** Texts that are never personal data; case and surrounding white space are ignored. */
  allowList: readonly string[];
}

/**
 * Finds personal data in a text; findings are in order and do not overlap. `recognised` means that
 * the text was recognised in a picture, where 0 may be O and numbers may be split.
 */
export type Detector = (text: string, how?: { recognised?: boolean }) => PiiFinding[];
