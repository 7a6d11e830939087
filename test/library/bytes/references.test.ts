import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { inTransaction, query } from '../../../src/db/transaction.ts';
import { byteReferences } from '../../../src/library/bytes/references.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../../support/database-fixture.ts';
import { checkout } from '../../support/run.ts';

/** It records which bytes a pack was made of, whether or not they still exist. */
const history = 'pack_document';

describe('references to stored bytes', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  it('include every column of the schema that holds a hash, each with an index', async () => {
    const columns = await inTransaction(database.owner, (tx) =>
      query<{ table: string; column: string; indexed: boolean }>(
        tx,
        `SELECT c.relname AS table, a.attname AS column, EXISTS (
           SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indpred IS NULL
             AND pg_get_indexdef(i.indexrelid) LIKE '%(project_id, ' || a.attname || '%') AS indexed
         FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
         JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attname ~ 'sha256'
         WHERE c.relkind IN ('r', 'p') ORDER BY 1, 2`,
        [],
      ),
    );
    const known = byteReferences.map((reference) => ({ ...reference, indexed: true }));
    expect(known).to.have.deep.members(columns.filter(({ table }) => table !== history));
  });

  it('are written only by code that holds the bytes', async () => {
    const root = join(checkout, 'src');
    const tables = byteReferences.map(({ table }) => table).join('|');
    const names = database.owner.entityMetadatas
      .filter(({ tableName }) => byteReferences.some(({ table }) => table === tableName))
      .map(({ name }) => name)
      .join('|');
    const writes = new RegExp(
      `INSERT INTO (${tables})\\b[^;]*\\bsha256|UPDATE (${tables})\\b[^;]*\\bSET\\b[^;]*\\bsha256 =` +
        `|\\b(sendInsert|sendUpdate|insert|into|update|upsert|save)\\((\\s*tx,)?\\s*(${names})\\b[^;]*\\bsha256`,
    );
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const writers: string[] = [];
    for (const file of files) {
      const text = await readFile(join(root, file), 'utf8');
      if (!file.includes('migrations') && writes.test(text)) writers.push(file);
      if (writers.at(-1) === file) expect(text, file).to.match(/\bRetainedBytes\b|\bretainBytes\b/);
    }
    expect(writers).to.include.members([
      'library/objects/arrival/upload.ts',
      'library/objects/arrival/outputs.ts',
      'library/images/read.ts',
      'library/objects/make-variant.ts',
      'jobs/packs/packing/store.ts',
    ]);
  });
});
