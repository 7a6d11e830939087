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

/** The appearance of labels for one kind of value, and the form of the values. */
export interface LabelEntry {
  type: EntityType;
  form: LabelForm;
  /** Names of the value itself: `IBAN`, `national insurance number`. */
  names?: Words;
  /**
   * Names of the thing that has the value: a word or sign for "number", a colon or the edge of a
   * cell must follow: `passport no.`, `Kunde:`.
   */
  things?: Words;
  /**
   * Names of things that have the value among others: a word or sign for "number" must follow:
   * `rent no.`
   */
  owners?: Words;
  /** Names of a person's value only among labels of people: `Name:`. */
  weak?: Words;
}
