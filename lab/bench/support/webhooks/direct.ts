import { newId } from '@scriptorium/contracts/ids';
import pg from 'pg';
import { Pool } from 'undici';
import { newSecret, signedHeaders } from '../../../../src/webhooks/sign.ts';

/** The minimum that delivers: one loop in the process that commits. */
export interface Direct {
  commit(): Promise<{ id: string; committed: number }>;
  stop(): Promise<void>;
}

/**
 * The prototype: due deliveries are in one table, and a loop in the committing process sends them.
 */
export async function startDirect(superuserUrl: string, origin: string): Promise<Direct> {
  const database = new pg.Pool({ connectionString: superuserUrl, max: 16 });
  await database.query(`
    CREATE TABLE direct (id text PRIMARY KEY, body text NOT NULL, state text NOT NULL DEFAULT 'due',
      lease_epoch integer NOT NULL DEFAULT 0, lease_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX direct_due ON direct (created_at) WHERE state = 'due';`);
  const http = new Pool(origin, { connections: 50 });
  const secret = newSecret();
  let isRunning = false;
  let isSignalled = false;
  const sending = new Set<Promise<void>>();

  const claim = async (): Promise<{ id: string; body: string; lease_epoch: number }[]> => {
    const { rows } = await database.query({
      name: 'claim',
      text: `UPDATE direct SET state = 'sending', lease_epoch = lease_epoch + 1,
          lease_until = now() + interval '30 seconds'
        WHERE id IN (SELECT id FROM direct WHERE state = 'due' ORDER BY created_at LIMIT 200
          FOR UPDATE SKIP LOCKED) RETURNING id, body, lease_epoch`,
    });
    return rows;
  };
  const send = async (rows: Awaited<ReturnType<typeof claim>>): Promise<void> => {
    await Promise.all(
      rows.map(async ({ id, body }) => {
        const timestamp = Math.floor(Date.now() / 1_000);
        const signed = signedHeaders({ id, timestamp, body, secrets: [secret] });
        const response = await http.request({
          path: '/hook',
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signed },
          body,
        });
        await response.body.dump();
      }),
    );
    await database.query({
      name: 'mark',
      text: `UPDATE direct SET state = 'done', lease_until = NULL
        FROM unnest($1::text[], $2::integer[]) AS d (id, epoch)
        WHERE direct.id = d.id AND direct.lease_epoch = d.epoch`,
      values: [rows.map(({ id }) => id), rows.map(({ lease_epoch }) => lease_epoch)],
    });
  };
  const signal = async (): Promise<void> => {
    isSignalled = true;
    if (isRunning) return;
    isRunning = true;
    while (isSignalled) {
      isSignalled = false;
      const rows = await claim();
      if (rows.length === 0) continue;
      const sent = send(rows).finally(() => sending.delete(sent));
      sending.add(sent);
    }
    isRunning = false;
  };
  return {
    async commit() {
      const id = newId('event');
      const body = JSON.stringify({
        id,
        type: 'dam.object.trashed',
        data: {},
        pad: 'x'.repeat(300),
      });
      const client = await database.connect();
      try {
        await client.query('BEGIN');
        await client.query({
          name: 'insert',
          text: 'INSERT INTO direct (id, body) VALUES ($1, $2)',
          values: [id, body],
        });
        await client.query('COMMIT');
      } finally {
        client.release();
      }
      const committed = performance.now();
      void signal();
      return { id, committed };
    },
    async stop() {
      await Promise.all(sending);
      await http.close();
      await database.end();
    },
  };
}
