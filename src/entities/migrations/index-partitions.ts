import { QueryFailedError, type QueryRunner } from 'typeorm';
import { patiently } from './patience.ts';

/**
 * Builds an index of a partitioned table while others write to it: one partition after the other,
 * concurrently, which is not possible in a transaction. Partitions that are added meanwhile get the
 * index when they are created. An interrupted run resumes where it stopped.
 * @param on the columns, and the condition of a partial index
 */
export async function indexPartitions(
  runner: QueryRunner,
  { name, table, on }: { name: string; table: string; on: string },
): Promise<void> {
  await runner.query(patiently(table, `CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${on}`));
  for (let part = await missing(); part; part = await missing()) {
    const index = `${part}_${name.slice(table.length + 1)}`;
    try {
      // An index left by an interrupted run is not valid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${part} ${on}`);
      await runner.query(patiently(part, `ALTER INDEX ${name} ATTACH PARTITION ${index}`));
    } catch (error) {
      // Retention may drop partitions meanwhile.
      const isGone = isUndefinedTable(error) && !(await exists(part));
      if (!isGone) throw error;
    }
  }

  async function exists(part: string): Promise<boolean> {
    const [row] = await runner.query('SELECT to_regclass($1) IS NOT NULL AS found', [part]);
    return row.found;
  }

  /** A partition without the index. */
  async function missing(): Promise<string | undefined> {
    const rows: { name: string }[] = await runner.query(
      `SELECT t.inhrelid::regclass::text AS name FROM pg_inherits t
       WHERE t.inhparent = $1::regclass AND NOT EXISTS (
         SELECT FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid
         WHERE i.inhparent = $2::regclass AND x.indrelid = t.inhrelid)
       ORDER BY 1 LIMIT 1`,
      [table, name],
    );
    return rows[0]?.name;
  }
}

function isUndefinedTable(error: unknown): boolean {
  return error instanceof QueryFailedError && error.driverError.code === '42P01';
}
