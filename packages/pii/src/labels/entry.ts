import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { LabelForm } from './forms.ts';

/** The languages of labels, as ISO 639-1 codes. */
type LabelLanguage =
  | ('en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'sv' | 'da' | 'no' | 'fi')
  | ('cs' | 'ro' | 'hu' | 'tr' | 'el' | 'ru' | 'zh' | 'ja' | 'ko');

/**
 * Phrases by language, separated by `|`, without words for "number". Case and accents are ignored,
 * except in a phrase in capitals: it is an acronym that may be a common word in lower case.
 */
type PhrasesByLanguage = Partial<Record<LabelLanguage, string>>;

/** The labels for a kind of value, and the form of its values. */
export interface LabelEntry {
  type: EntityType;
  form: LabelForm;
  /** The type of numbers that do not have the form. Default: the form decides about them. */
  otherNumbers?: EntityType;
  /** Names of the value itself: `IBAN`, `national insurance number`. */
  names?: PhrasesByLanguage;
  /**
   * Names of the thing that has the value. A word or sign for "number", a colon or the end of the
   * cell must follow: `passport no.`, `Kunde:`.
   */
  things?: PhrasesByLanguage;
  /**
   * Names of things that have the value among other values. A word or sign for "number" must
   * follow: `rent no.`
   */
  owners?: PhrasesByLanguage;
  /** Names that refer to a person only among other labels of people: `Name:`. */
  weak?: PhrasesByLanguage;
}
