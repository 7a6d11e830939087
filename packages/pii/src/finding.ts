import type { EntityType, FoundType } from '@scriptorium/contracts/documents/entities';
import type { Narrowing } from '@scriptorium/contracts/documents/profiles';

/** Personal data in a text: its range in UTF-16 units. `end` is exclusive. */
export interface PiiFinding {
  type: FoundType;
  start: number;
  end: number;
  /** The confidence of the recogniser, 0 to 1. */
  score: number;
}

/** A client's pattern in RE2 syntax, which matches in linear time. */
export interface CustomPattern {
  /** Upper case. Findings have the type `CUSTOM_<name>`. */
  name: string;
  pattern: string;
  case_sensitive: boolean;
}

/** Defines the values to find. */
export interface DetectorOptions {
  entities: 'all' | readonly EntityType[];
  /** Types for which only a subset of findings is reported. Default: none. */
  narrowed?: readonly Narrowing[] | undefined;
  /** Findings with a lower score are discarded. */
  minConfidence: number;
  customPatterns: readonly CustomPattern[];
  /** Texts that are never reported. Case and surrounding white space are ignored. */
  allowList: readonly string[];
}

/**
 * Finds personal data in a text. Findings are sorted and do not overlap. Set `recognised` if the
 * text was recognised in a picture, so that 0 may be O and numbers may be split.
 */
export type Detector = (text: string, options?: { recognised?: boolean }) => PiiFinding[];
