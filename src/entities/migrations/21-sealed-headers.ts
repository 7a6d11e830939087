import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

/** What the processes keep secrets with (access/seal.ts). */
export interface Seal {
  seal(text: string, place: Place): string;
  open(sealed: string, place: Place): string;
}

type Place =
  | readonly ['webhook_secret', endpointId: string]
  | readonly ['webhook_header', endpointId: string, name: string];

interface Row {
  id: string;
  headers: Record<string, string>;
  secrets: { cipher: string }[];
}

const batch = 1_000;
const seals = new WeakMap<DataSource, Seal>();

/** Gives a run of the migrations what to seal with: SQL cannot, and the database never has the key. */
export function sealWith(database: DataSource, seal: Seal): void {
  seals.set(database, seal);
}

/**
 * The values of webhooks' own headers are often credentials: they are sealed, as their secrets are,
 * and kept as {name: {cipher}}. Without any there is nothing to seal, and no need of a key.
 */
export class SealedHeaders1000000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // This table's lock is held from here on: nobody writes a value that is not seen below.
    await runner.query('ALTER TABLE webhook_endpoint NO FORCE ROW LEVEL SECURITY');
    for (let after = ''; ; ) {
      const rows: Row[] = await runner.query(
        `SELECT id, headers, secrets FROM webhook_endpoint
         WHERE headers <> '{}' AND id > $1 ORDER BY id LIMIT ${batch}`,
        [after],
      );
      const last = rows.at(-1);
      if (!last) break;
      await sealRows(runner, rows);
      after = last.id;
    }
    await runner.query(`
      ALTER TABLE webhook_endpoint FORCE ROW LEVEL SECURITY;

      -- Stored answers that show the values; those with a secret in them are sealed as they are. To
      -- ask once more for what is already so changes nothing.
      ALTER TABLE idempotency NO FORCE ROW LEVEL SECURITY;
      DELETE FROM idempotency
        WHERE route IN ('pauseWebhook', 'enableWebhook', 'disableWebhook') AND NOT encrypted;
      ALTER TABLE idempotency FORCE ROW LEVEL SECURITY;
    `);
  }

  async down(): Promise<void> {
    throw new Error('What was sealed is not written in the clear again: restore a backup.');
  }
}

async function sealRows(runner: QueryRunner, rows: Row[]): Promise<void> {
  const seal = seals.get(runner.connection);
  if (!seal) {
    throw new Error(
      'Webhooks have headers whose values this release keeps sealed: set SECRET_KEY, as it is for the API and the workers, and run the migrations again.',
    );
  }
  const sealed = rows.map(({ id, headers, secrets }) => {
    assertSameKey(seal, id, secrets);
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        { cipher: seal.seal(value, ['webhook_header', id, name]) },
      ]),
    );
  });
  await runner.query(
    `UPDATE webhook_endpoint e SET headers = s.headers
     FROM unnest($1::text[], $2::jsonb[]) AS s (id, headers) WHERE e.id = s.id`,
    [rows.map(({ id }) => id), sealed.map((headers) => JSON.stringify(headers))],
  );
}

/** What was sealed with a key that the processes do not have could never be sent again. */
function assertSameKey(seal: Seal, id: string, [newest]: Row['secrets']): void {
  if (!newest) return;
  try {
    seal.open(newest.cipher, ['webhook_secret', id]);
  } catch (cause) {
    throw new Error(
      `SECRET_KEY does not open the secret of ${id}: run the migrations with the key of the API and the workers.`,
      { cause },
    );
  }
}
