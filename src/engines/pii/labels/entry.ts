import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { LabelForm } from './forms.ts';

/** Languages of labels, by ISO 639-1. */
type LabelLanguage =
  | ('en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'sv' | 'da' | 'no' | 'fi')
  | ('cs' | 'ro' | 'hu' | 'tr' | 'el' | 'ru' | 'zh' | 'ja' | 'ko');

/**
 * Phrases by language, separated by `|`; case and accents are ignored, but a phrase in capitals is an
 * acronym, which may be a common word in lower case. Words for "number" are not part of them.
 */
type Words = Partial<Record<LabelLanguage, string>>;

/** What labels of one kind of value look like, and what stands behind them. */
export interface LabelEntry {
  type: EntityType;
  form: LabelForm;
  /** They name the value itself: `IBAN`, `national insurance number`. */
  names?: Words;
  /**
   * They name what has the value: a word or sign for "number", a colon or the edge of a cell must
   * follow: `passport no.`, `Kunde:`.
   */
  things?: Words;
  /** They name what has a value among others: a word or sign for "number" must follow: `rent no.` */
  owners?: Words;
  /** They name a person's value only among labels of people: `Name:`. */
  weak?: Words;
}
