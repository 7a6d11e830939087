import { connect } from 'node:net';
import type pg from 'pg';

/** How long a server may take to report whether it offers TLS. */
const limitMs = 5_000;
/** SSLRequest (PostgreSQL, Message Formats): its length and its code. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Disables TLS for a client whose server does not offer it. node-postgres has no `sslmode=prefer`: a
 * client with TLS fails if the server does not offer it.
 * @throws Error if the server cannot be reached
 */
export async function useTlsIfOffered(client: pg.Client): Promise<void> {
  if (client.host.startsWith('/') || !(await offersTls(client.host, client.port))) {
    Object.assign(client, { ssl: false });
    Object.assign(client.connection, { ssl: false });
  }
}

function offersTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: limitMs }, () => socket.write(sslRequest));
    socket.once('timeout', () => socket.destroy(new Error('Postgres did not respond in time.')));
    socket.once('data', (answer) => {
      resolve(answer.toString('latin1', 0, 1) === 'S');
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Postgres closed the connection.')));
  });
}
