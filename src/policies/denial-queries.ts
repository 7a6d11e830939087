import { prepared, type Tx } from '../db/transaction.ts';

/**
 * Records marks of a key for this minute, and returns those that were new.
 *
 * SQL, because it only tries the lock: another transaction that is recording the same mark records
 * it for both, so that a transaction with locks never waits.
 */
export async function noteForMinute(
  tx: Tx,
  { projectId, keyId }: { projectId: string; keyId: string },
  marks: readonly string[],
): Promise<string[]> {
  const first = await prepared<{ code: string }>(
    tx,
    `INSERT INTO denial (project_id, key_id, code, minute)
     SELECT $1, $2, m.code, date_trunc('minute', now()) FROM unnest($3::text[]) AS m (code)
     WHERE pg_try_advisory_xact_lock(
       hashtextextended(concat_ws(' ', $1::text, $2::text, m.code), 0))
     ON CONFLICT DO NOTHING RETURNING code`,
    [projectId, keyId, marks],
  );
  return first.map(({ code }) => code);
}
