import { byKey, type Tx } from './transaction.ts';

/** A statement with a plan for a few rows and another for many. */
export interface Sized {
  few: string;
  many: string;
}

/** As many rows still count as a few. */
export const mostOfAFew = 32;

/**
 * A statement that meets now a few rows and now a thousand. Plans are made once, whatever is given: one
 * made for a few would compare each of a thousand with each, so those have a text, and a plan, of
 * their own.
 */
export function sized(text: string): Sized {
  return { few: text, many: `/* many */ ${text}` };
}

/** The text for so many rows; for many, also has what follows in the transaction planned with hashes. */
export function textFor(tx: Tx, rows: number, statement: Sized): string {
  if (rows <= mostOfAFew) return statement.few;
  byKey(tx, 'hash');
  return statement.many;
}
