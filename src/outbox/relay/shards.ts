import { prepared, type Tx } from '../../db/transaction.ts';
import { readInIndexOrder } from './due-tasks.ts';

/**
 * Projects are numbered in this many shards, each by one relay at a time. It is part of the index
 * `event_place` and of every running relay's locks: changing it takes a migration.
 */
export const numberingShards = 16;

/**
 * An event's place in its shard, in SQL, as `event_place` has it: no other index gives this order,
 * so no plan, whenever it was made, reads the events of other shards.
 */
export const placeInShard = `(((hashtext(project_id) & ${numberingShards - 1})::bigint << 48) | ordinal)`;
/** What waits in `shard`, from the identifier in $1 on: a condition in SQL. */
export const waitsInShard = `sequence IS NULL AND id >= $1
           AND ${placeInShard} >= shard::bigint << 48 AND ${placeInShard} < (shard + 1)::bigint << 48`;

/** Ends a numbering transaction whose relay is frozen, so that others take over its shards. */
const frozenMs = 10_000;

/** Which events a round of numbering reads. */
export interface Reach {
  /** Only events from this identifier on, which spares older partitions. */
  since: string;
  /** The shard that comes first. */
  from: number;
  /** How many shards it takes at most. */
  most: number;
}

export const everything: Reach = { since: '', from: 0, most: numberingShards };

/** Which shards a round has locked. */
interface LockedShards {
  /** In turn. */
  shards: number[];
  /** Others wait, and are locked by another relay. */
  elsewhere: boolean;
  /** Others wait, and this round may not take more. */
  passed: boolean;
}

/** Locks shards with events that wait, in turn, and names them in the setting `app.numbers`. */
export async function lockShards(tx: Tx, { since, from, most }: Reach): Promise<LockedShards> {
  readInIndexOrder(tx);
  const [row] = await prepared<{ shards: number[]; waiting: number }>(
    tx,
    // The release before numbers all projects, under the lock without a shard, which it takes alone.
    `WITH waiting AS MATERIALIZED (
       SELECT shard FROM generate_series(0, ${numberingShards - 1}) AS shard
       WHERE (SELECT true FROM event WHERE ${waitsInShard} ORDER BY ${placeInShard} LIMIT 1)
       ORDER BY (shard - $2::integer + ${numberingShards}) % ${numberingShards}
     ), admitted AS MATERIALIZED (
       SELECT pg_try_advisory_xact_lock_shared(hashtext('number events')) AS yes
     ), locked AS MATERIALIZED (
       SELECT shard FROM waiting
       WHERE CASE WHEN (SELECT yes FROM admitted)
         THEN pg_try_advisory_xact_lock(hashtext('number events'), shard) ELSE false END
       LIMIT $3::integer
     ), told AS MATERIALIZED (
       SELECT array_agg(shard) AS shards,
         set_config('app.numbers', coalesce(string_agg(shard::text, ','), ''), true),
         set_config('idle_in_transaction_session_timeout', '${frozenMs}', true)
       FROM locked
     )
     SELECT coalesce(shards, '{}') AS shards, (SELECT count(*)::integer FROM waiting) AS waiting
     FROM told`,
    [since, from, most],
  );
  const { shards, waiting } = row!;
  const without = waiting > shards.length;
  const enough = shards.length === most;
  return { shards, elsewhere: without && !enough, passed: without && enough };
}
