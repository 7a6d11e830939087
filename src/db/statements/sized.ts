import { byKey, type Tx } from '../transaction.ts';

/** A statement with a plan for a few rows and another for many. */
export interface Sized {
  few: string;
  many: string;
}

/** Up to this many rows count as a few. */
const maxFew = 32;

/**
 * A statement that gets a few rows in some calls and a thousand in others. A plan is made once, for any
 * values: one made for a few rows would compare each of a thousand with each other, so large calls have
 * a separate text and plan.
 */
export function sized(text: string): Sized {
  return { few: text, many: `/* many */ ${text}` };
}

/** The text for a number of rows; for many, also plans the rest of the transaction with hashes. */
export function textFor(tx: Tx, rows: number, statement: Sized): string {
  if (rows <= maxFew) return statement.few;
  byKey(tx, 'hash');
  return statement.many;
}
