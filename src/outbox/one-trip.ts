import type { Database } from '../db/database.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';

/**
 * A transaction in one round trip: its commit leaves with its statements. For work that decides
 * nothing by what it is answered; whatever it says after its first answer is refused.
 */
export async function inOneTrip<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined;
  await inTransaction(database, async (tx) => {
    answer = work(tx);
    // When it fails so does the commit, and that is the error to tell.
    answer.catch(() => undefined);
  });
  return answer!;
}
