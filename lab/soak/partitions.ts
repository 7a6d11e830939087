import type { System } from '../rolling/system.ts';

/** Replaces parts of a function's text, each of which must exist. */
function replaceParts(text: string, replacements: readonly (readonly [string, string])[]): string {
  let changed = text;
  for (const [from, to] of replacements) {
    if (!changed.includes(from)) throw new Error(`The function does not contain: ${from}`);
    changed = changed.replaceAll(from, to);
  }
  return changed;
}

/**
 * Makes partitions of minutes instead of weeks, and keeps them for minutes instead of days, so that
 * the relay drops some during the run. The functions are otherwise unchanged.
 */
export async function shortenPartitions(
  { owner }: Pick<System, 'owner'>,
  { minutes, kept: retentionMinutes }: { minutes: number; kept: number },
): Promise<void> {
  const unit = `interval '${minutes} minutes'`;
  const format = `'YYYYMMDDHH24MI'`;
  const definition = async (name: string): Promise<string> => {
    const [row] = await owner.query('SELECT pg_get_functiondef($1::regproc) AS text', [name]);
    return row.text;
  };
  const dropFunction = replaceParts(await definition('partitions_drop'), [
    [`keep < interval '7 days'`, 'keep IS NULL'],
    ['now() - keep', `now() - interval '${retentionMinutes} minutes'`],
    [`interval '7 days'`, unit],
    ['to_date(', 'to_timestamp('],
    [`'YYYYMMDD'`, format],
    ['right(c.relname, 8)', 'right(c.relname, 12)'],
    ['[0-9]{8}', '[0-9]{12}'],
  ]);
  const ensureFunction = replaceParts(await definition('partitions_ensure'), [
    [
      `date_trunc('week', now() AT TIME ZONE 'UTC')`,
      `date_bin(${unit}, now() AT TIME ZONE 'UTC', '2000-01-03')`,
    ],
    [`interval '7 days'`, unit],
    [`'YYYYMMDD'`, format],
    // The relay makes them once an hour.
    ['-1..5', `-1..${Math.ceil(90 / minutes)}`],
  ]);
  const weeklyPartitions: { name: string }[] = await owner.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent IN ('attempt'::regclass, 'delivery'::regclass, 'event'::regclass)
     ORDER BY inhparent::regclass::text`,
  );
  for (const { name } of weeklyPartitions) await owner.query(`DROP TABLE ${name}`);
  await owner.query(dropFunction);
  await owner.query(ensureFunction);
  await owner.query('SELECT partitions_ensure()');
}
