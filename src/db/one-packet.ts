import type { Database } from './database.ts';
import { inTransaction, type Tx } from './transaction.ts';

/**
 * Runs a transaction that is sent as one packet, including its commit: its locks are released without
 * waiting for this process, which may be busy. For rows that many processes lock in turn, and for work
 * that does not depend on the answers.
 * @param ask sends all of its statements before it awaits any. Answers arrive after the commit, and
 *   later statements are rejected.
 */
export async function inOnePacket<T>(database: Database, ask: (tx: Tx) => Promise<T>): Promise<T> {
  const { answer } = await inTransaction(database, async (tx) => {
    const answer = ask(tx);
    // If it fails, the transaction fails and reports why.
    answer.catch(() => undefined);
    return { answer };
  });
  return answer;
}
