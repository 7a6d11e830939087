import { HashIndex } from './hash-index.ts';

/**
 * The properties of a word in the lists, one bit each. Words of multi-word names have the bit as
 * well.
 */
export const gazetteerBits = {
  first: 1 << 0,
  last: 1 << 1,
  city: 1 << 2,
  country: 1 << 3,
  region: 1 << 4,
  /** Street, avenue, utca, Straße… */
  street: 1 << 5,
  /** Ltd, GmbH, S.p.A… */
  legal: 1 << 6,
  /** Bank, university, holdings… */
  organization: 1 << 7,
  job: 1 << 8,
  /** Mr, Frau, Professor… */
  honorific: 1 << 9,
  nationality: 1 << 10,
  /** The most frequent English words, frequent words, and others. */
  commonest: 1 << 11,
  common: 1 << 12,
  word: 1 << 13,
  /** Months, days of the week, numbers in words. */
  calendar: 1 << 14,
  /** Apartment, floor, box… */
  unit: 1 << 15,
  /** Rare English words, and common words of other languages. */
  rare: 1 << 16,
  foreign: 1 << 17,
  /** Goods, food, terms of business, law and computing, and labels of forms. */
  thing: 1 << 18,
  /** Less common words of other languages. */
  seldom: 1 << 19,
} as const;

/** Looks up words by the hash of their folded form. Two in a hundred thousand words may collide. */
export class Gazetteer {
  private readonly index: HashIndex;

  /** `hashes` and `masks` are parallel. Hashes are unique, and no mask is 0. */
  constructor(
    hashes: Int32Array,
    private readonly masks: Uint32Array,
  ) {
    this.index = new HashIndex(hashes);
  }

  maskOf(hash: number): number {
    const row = this.index.rowOf(hash);
    return row === 0 ? 0 : this.masks[row - 1]!;
  }
}
