import { QueryFailedError, type QueryRunner } from 'typeorm';
import { runPatiently } from './patience.ts';

/**
 * Builds an index of a partitioned table while other transactions write to it: one partition after the
 * other, concurrently, which is not possible in a transaction. Partitions that are added meanwhile get the
 * index when they are created. An interrupted run resumes where it stopped.
 * @param on the columns, and the condition of a partial index
 */
export async function indexPartitions(
  runner: QueryRunner,
  { name, table, on }: { name: string; table: string; on: string },
): Promise<void> {
  await runner.query(
    runPatiently(table, `CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${on}`),
  );
  for (
    let partition = await findPartitionWithoutIndex();
    partition;
    partition = await findPartitionWithoutIndex()
  ) {
    const index = `${partition}_${name.slice(table.length + 1)}`;
    try {
      // An index left by an interrupted run is not valid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${partition} ${on}`);
      await runner.query(runPatiently(partition, `ALTER INDEX ${name} ATTACH PARTITION ${index}`));
    } catch (error) {
      // Retention may drop partitions meanwhile.
      const wasDropped = isUndefinedTable(error) && !(await exists(partition));
      if (!wasDropped) throw error;
    }
  }

  async function exists(partition: string): Promise<boolean> {
    const [row] = await runner.query('SELECT to_regclass($1) IS NOT NULL AS found', [partition]);
    return row.found;
  }

  /** A partition without the index. */
  async function findPartitionWithoutIndex(): Promise<string | undefined> {
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
