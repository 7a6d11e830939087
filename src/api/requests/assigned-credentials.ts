import type { Duplex } from 'node:stream';
import type { Credentials } from '../../access/authenticate.ts';

/** Credentials by connection. Clients cannot reach these connections: they exist in this process. */
const assigned = new WeakMap<Duplex, Credentials>();

/** Gives the requests of a connection within this process credentials that were verified already. */
export function assignCredentials(connection: Duplex, credentials: Credentials): void {
  assigned.set(connection, credentials);
}

/** The credentials that were given to a connection. */
export const assignedCredentials = (connection: Duplex): Credentials | undefined =>
  assigned.get(connection);
