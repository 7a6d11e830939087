/**
 * SQL that locks a table to change its columns, indexes or triggers. Waits a second at a time, because
 * other statements queue behind the lock, and an open transaction of another session may last for
 * minutes.
 * @param mode SHARE ROW EXCLUSIVE allows reads of the table meanwhile
 */
export function lockPatiently(
  table: string,
  mode: 'ACCESS EXCLUSIVE' | 'SHARE ROW EXCLUSIVE' = 'ACCESS EXCLUSIVE',
): string {
  return runPatiently(table, `LOCK TABLE ${table} IN ${mode} MODE`);
}

/**
 * SQL that runs a statement which locks a table, as `lockPatiently` does.
 * @param statement takes almost no time once it has its locks
 */
export function runPatiently(table: string, statement: string): string {
  return `
    DO $$
    BEGIN
      FOR attempt IN 1..60 LOOP
        BEGIN
          PERFORM set_config('lock_timeout', '1s', true);
          ${statement};
          EXIT;
        EXCEPTION WHEN lock_not_available THEN
          IF attempt = 60 THEN
            RAISE EXCEPTION 'The table ${table} is in use: end long transactions and run the migrations again.';
          END IF;
          PERFORM pg_sleep(1);
        END;
      END LOOP;
      PERFORM set_config('lock_timeout', '0', true);
    END
    $$;`;
}
