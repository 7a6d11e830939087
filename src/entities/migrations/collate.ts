import type { QueryRunner } from 'typeorm';
import { patiently } from './patience.ts';

/** The columns of tables that get COLLATE "C". */
export type Columns = Record<string, string[]>;

/** An index that is built under "C" beside the traffic, and takes the place of the one of this name. */
export interface Twin {
  table: string;
  name: string;
  /** Its columns, with `COLLATE "C"` at those that change: then Postgres does not build it again. */
  on: string;
  isKey?: true;
}

/** A column to change, with its type. */
interface Pending {
  name: string;
  type: string;
}

async function pendingOf(runner: QueryRunner, table: string, names: string[]): Promise<Pending[]> {
  return runner.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attname = ANY($2)
       AND attcollation <> 'pg_catalog."C"'::regcollation ORDER BY attnum`,
    [table, names],
  );
}

export async function isPending(runner: QueryRunner, tables: Columns): Promise<boolean> {
  for (const [table, names] of Object.entries(tables)) {
    if ((await pendingOf(runner, table, names)).length > 0) return true;
  }
  return false;
}

/**
 * Changes columns of tables, all at once. Neither tables nor twins are read meanwhile: CHECKs are left
 * to `validate`. Triggers with conditions on the columns are made again.
 * @param around statements before the change and after it
 */
export async function collate(
  runner: QueryRunner,
  tables: Columns,
  twins: readonly Twin[] = [],
  [before, after]: [string, string] = ['', ''],
): Promise<void> {
  if (!(await isPending(runner, tables))) return;
  for (const { table, name, on, isKey } of twins) {
    // What a run that broke off has left may not be valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_next`);
    const create = `CREATE ${isKey ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name}_next`;
    await runner.query(`${create} ON ${table} ${on}`);
  }
  const statements: string[] = [];
  for (const [table, names] of Object.entries(tables)) {
    const columns = await pendingOf(runner, table, names);
    const triggers: { name: string; definition: string }[] = await runner.query(
      `SELECT tgname AS name, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t
       WHERE tgrelid = $1::regclass AND NOT tgisinternal AND EXISTS (
         SELECT FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
         WHERE d.classid = 'pg_trigger'::regclass AND d.objid = t.oid AND d.refobjid = t.tgrelid
           AND a.attname = ANY($2)) ORDER BY 1`,
      [table, names],
    );
    const checks: { name: string; definition: string }[] = await runner.query(
      `SELECT conname AS name, pg_get_constraintdef(c.oid) AS definition FROM pg_constraint c
       WHERE conrelid = $1::regclass AND contype = 'c' AND convalidated AND EXISTS (
         SELECT FROM pg_attribute a WHERE a.attrelid = conrelid AND a.attnum = ANY(conkey)
           AND a.attname = ANY($2)) ORDER BY 1`,
      [table, names],
    );
    const changes = [
      ...checks.map(({ name }) => `DROP CONSTRAINT ${name}`),
      ...columns.map(({ name, type }) => `ALTER COLUMN ${name} TYPE ${type} COLLATE "C"`),
      ...checks.map(({ name, definition }) => `ADD CONSTRAINT ${name} ${definition} NOT VALID`),
    ];
    statements.push(
      ...triggers.map(({ name }) => `DROP TRIGGER ${name} ON ${table}`),
      `ALTER TABLE ${table} ${changes.join(', ')}`,
      ...triggers.map(({ definition }) => definition),
    );
  }
  const all = Object.keys(tables).join(', ');
  await runner.query(
    patiently(
      all,
      [
        `LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`,
        before,
        ...twins.map(({ table, name, isKey }) =>
          isKey ? `ALTER TABLE ${table} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`,
        ),
        ...statements,
        ...twins.map(({ table, name, isKey }) =>
          isKey
            ? `ALTER TABLE ${table} ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${name}_next`
            : `ALTER INDEX ${name}_next RENAME TO ${name}`,
        ),
        after,
      ]
        .filter((statement) => statement !== '')
        .join(';\n'),
    ),
  );
}

/** Validates the CHECKs that were made again, which lets others read and write. */
export async function validate(runner: QueryRunner): Promise<void> {
  const checks: { table: string; name: string }[] = await runner.query(
    `SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND contype = 'c' AND NOT convalidated
       AND coninhcount = 0 ORDER BY 1, 2`,
  );
  for (const { table, name } of checks) {
    await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
  }
}
