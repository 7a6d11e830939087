import { prepared, type Tx } from '../db/transaction.ts';

/**
 * Inserts codes of denials of a key for this minute, and returns those that are new.
 *
 * SQL, because it must not wait for locks: if another transaction is recording the same code, it records
 * it for both.
 */
export async function insertDenialCodes(
  tx: Tx,
  { projectId, keyId }: { projectId: string; keyId: string },
  codes: readonly string[],
): Promise<string[]> {
  const inserted = await prepared<{ code: string }>(
    tx,
    `INSERT INTO denial (project_id, key_id, code, minute)
     SELECT $1, $2, m.code, date_trunc('minute', now()) FROM unnest($3::text[]) AS m (code)
     WHERE pg_try_advisory_xact_lock(
       hashtextextended(concat_ws(' ', $1::text, $2::text, m.code), 0))
     ON CONFLICT DO NOTHING RETURNING code`,
    [projectId, keyId, codes],
  );
  return inserted.map(({ code }) => code);
}
