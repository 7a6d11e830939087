import { randomBytes } from 'node:crypto';
import { Problem } from '@scriptorium/contracts/problems';
import { authenticate } from '../access/authenticate.ts';
import { connectionsOf, type Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';

/**
 * Opens half of the connections at startup, and attempts a login with an unknown key on each. The
 * first requests then wait neither for a connection nor for planning the login statements.
 */
export async function warmUp(database: Database): Promise<void> {
  const connections = Math.ceil(connectionsOf(database) / 2);
  await Promise.all(Array.from({ length: connections }, () => attemptLogin(database)));
}

async function attemptLogin(database: Database): Promise<void> {
  const credentials = { keyHash: randomBytes(32), projectId: null };
  try {
    await inTransaction(database, (tx) => authenticate(tx, credentials, 'quick'));
  } catch (error) {
    if (!(error instanceof Problem && error.status === 401)) throw error;
  }
}
