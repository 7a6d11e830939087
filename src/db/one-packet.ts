import type { Database } from './database.ts';
import { inTransaction, type Tx } from './transaction.ts';

/**
 * Runs a transaction that leaves as one packet, its commit with it: what it locks is free again
 * without waiting for this process, which may be busy. For rows that many processes lock in turn, and
 * for work that decides nothing by what it is answered.
 * @param ask says all of its statements before it waits for any; what they answer is known once all is
 *   committed, and what it says after that is refused
 */
export async function inOnePacket<T>(database: Database, ask: (tx: Tx) => Promise<T>): Promise<T> {
  const { answer } = await inTransaction(database, async (tx) => {
    const answer = ask(tx);
    // When it fails the transaction does, and tells why.
    answer.catch(() => undefined);
    return { answer };
  });
  return answer;
}
