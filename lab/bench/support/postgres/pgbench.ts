import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** The path of Postgres's own load generator (on PATH, or where Debian installs it), or null. */
export function findPgbench(): string | null {
  const debian = '/usr/lib/postgresql';
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...(existsSync(debian)
      ? readdirSync(debian)
          .sort((a, b) => Number(b) - Number(a))
          .map((version) => join(debian, version, 'bin'))
      : []),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path)) ?? null;
}

/**
 * A plain prepared transaction of two inserts, an order and its outbox row of half a kilobyte, from
 * two threads: the upper bound of Postgres on this machine.
 */
export async function preparePlainTransactions(
  binary: string,
  superuserUrl: string,
  folder: string,
): Promise<{ run(seconds: number, connections: number): Promise<number> }> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`
    DROP TABLE IF EXISTS plain_order, plain_outbox;
    CREATE TABLE plain_order (id bigserial PRIMARY KEY, customer integer NOT NULL, note text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE plain_outbox (id bigserial PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now());`);
  await client.end();
  const payload = JSON.stringify({ note: 'x'.repeat(500), kind: 'plain' });
  const script = join(folder, 'plain.sql');
  await writeFile(
    script,
    `\\set customer random(1, 100000)
BEGIN;
INSERT INTO plain_order (customer, note) VALUES (:customer, 'a note of some length, as notes are');
INSERT INTO plain_outbox (type, payload) VALUES ('order.created', '${payload}');
COMMIT;
`,
  );
  return {
    async run(seconds, connections) {
      const { stdout } = await promisify(execFile)(binary, [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(connections),
        '-j',
        '2',
        '-T',
        String(Math.ceil(seconds)),
        '-f',
        script,
        superuserUrl,
      ]);
      const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
      if (!rate) throw new Error(`pgbench did not report its rate: ${stdout}`);
      return Number(rate);
    },
  };
}
