import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type {
  ErasureCreate,
  ErasureRecord,
  ErasureResourceRecord,
} from '@scriptorium/contracts/wire/erasures';
import { In, LessThan } from 'typeorm';
import { nextVersion, sendInsert, sendUpdate } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Erasure } from '../../entities/erasure/erasure.ts';
import { ErasureResource } from '../../entities/erasure/erasure-resource.ts';
import type { PageSeal } from '../../jobs/sealing/page-content.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';

/** Up to `limit` of the project's erasures, newest first. */
export function listErasures(
  tx: Tx,
  projectId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Erasure[]> {
  return tx.find(Erasure, {
    where: { projectId, ...(before !== undefined && { id: LessThan(before) }) },
    order: { id: 'DESC' },
    take: limit,
  });
}

/** The number of erasures of a project. */
export function countErasures(tx: Tx, projectId: string): Promise<number> {
  return tx.countBy(Erasure, { projectId });
}

/** An erasure; null if it does not exist. */
export function findErasure(tx: Tx, projectId: string, id: string): Promise<Erasure | null> {
  return tx.findOneBy(Erasure, { projectId, id });
}

/** An erasure, locked until the transaction ends; null if it does not exist. */
export function lockErasure(tx: Tx, projectId: string, id: string): Promise<Erasure | null> {
  return tx.findOne(Erasure, { where: { projectId, id }, lock: { mode: 'pessimistic_write' } });
}

/**
 * Creates an erasure and starts the search for its values.
 * @throws Problem 409 while too many others are in progress
 */
export async function createErasure(
  tx: Tx,
  origin: Origin,
  { seal }: Pick<PageSeal, 'seal'>,
  { values, objects }: ErasureCreate,
): Promise<Erasure> {
  const { projectId, actor } = origin;
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('erasures ' || $1, 0))`, [
    projectId,
  ]);
  const open = await tx.countBy(Erasure, {
    projectId,
    state: In(['searching', 'ready', 'running']),
  });
  if (open >= limits.erasures_in_progress) {
    throw new Problem(
      'state_conflict',
      `The project already has ${limits.erasures_in_progress} erasures in progress, the maximum. Confirm or cancel one first.`,
      { extra: { limit: limits.erasures_in_progress } },
    );
  }
  const key = { projectId, id: newId('erasure') };
  sendInsert(tx, Erasure, {
    ...key,
    sealedValues: seal(JSON.stringify(values), ['erasure_values', projectId, key.id]),
    valueCount: values.length,
    objects,
    requestedBy: { type: actor.type, id: actor.id },
  });
  await record(tx, origin, {
    type: 'access.erasure.requested',
    resourceId: key.id,
    data: { values: values.length, objects },
  });
  await schedule(tx, projectId, key.id, {
    kind: 'erasure.search',
    payload: { erasure_id: key.id },
  });
  return tx.findOneByOrFail(Erasure, key);
}

/** The values of an erasure. Never log them. */
export function openValues({ unseal }: Pick<PageSeal, 'unseal'>, erasure: Erasure): string[] {
  if (erasure.sealedValues === null) throw new Error('The values of the erasure were dropped.');
  // GCM authenticates that `createErasure` sealed it.
  return JSON.parse(
    unseal(erasure.sealedValues, ['erasure_values', erasure.projectId, erasure.id]),
  ) as string[];
}

/**
 * Confirms a locked erasure and starts it.
 * @throws Problem 409 `state_conflict` unless its search has ended, `confirmation_required` if a value
 *   is a single word and that is not confirmed
 */
export async function confirmErasure(
  tx: Tx,
  origin: Origin,
  erasure: Erasure,
  { wholeValues }: { wholeValues: boolean },
): Promise<Erasure> {
  const { projectId, id, state, ordinaryWords } = erasure;
  if (state !== 'ready' || erasure.sealedValues === null) {
    throw new Problem(
      'state_conflict',
      state === 'ready'
        ? `The values of the erasure '${id}' were dropped, because it was not confirmed in time. Create it again.`
        : `The erasure '${id}' cannot be confirmed: its state is \`${state}\`, not \`ready\`.`,
    );
  }
  if (ordinaryWords.length > 0 && !wholeValues) {
    throw new Problem(
      'confirmation_required',
      'A value is a single word, which may occur in other meanings. Check `ordinary_words` and the resources, then send `whole_values: true`.',
      { extra: { ordinary_words: ordinaryWords } },
    );
  }
  const { actor } = origin;
  const key = { projectId, id };
  sendUpdate(tx, Erasure, key, {
    state: 'running',
    percent: 0,
    confirmedBy: { type: actor.type, id: actor.id },
    version: nextVersion,
  });
  await record(tx, origin, { type: 'access.erasure.confirmed', resourceId: id, data: {} });
  await schedule(tx, projectId, id, { kind: 'erasure.run', payload: { erasure_id: id } });
  return tx.findOneByOrFail(Erasure, key);
}

/**
 * Cancels a locked erasure that was not confirmed, and drops its values.
 * @throws Problem 409 after its confirmation
 */
export async function cancelErasure(tx: Tx, origin: Origin, erasure: Erasure): Promise<void> {
  const { projectId, id, state } = erasure;
  if (state === 'cancelled') return;
  if (state === 'running' || state === 'finished') {
    throw new Problem(
      'state_conflict',
      `The erasure '${id}' was confirmed and cannot be cancelled.`,
    );
  }
  sendUpdate(
    tx,
    Erasure,
    { projectId, id },
    { state: 'cancelled', sealedValues: null, version: nextVersion },
  );
  await record(tx, origin, { type: 'access.erasure.cancelled', resourceId: id, data: {} });
}

/** Up to `limit` of the resources of an erasure after a position. */
export function listResources(
  tx: Tx,
  { projectId, id }: Erasure,
  after: readonly [type: string, id: string],
  limit: number,
): Promise<ErasureResourceRecord[]> {
  return prepared<ErasureResourceRecord>(
    tx,
    `SELECT resource_type, resource_id, fields, value_indexes, state, kept_by FROM erasure_resource
     WHERE project_id = $1 AND erasure_id = $2 AND (resource_type, resource_id) > ($3, $4)
     ORDER BY resource_type, resource_id LIMIT $5`,
    [projectId, id, ...after, limit],
  );
}

/** The number of resources of an erasure. */
export function countResources(tx: Tx, { projectId, id }: Erasure): Promise<number> {
  return tx.countBy(ErasureResource, { projectId, erasureId: id });
}

/** The number of resources of an erasure by type; in some states only, if given. */
export async function countByType(
  tx: Tx,
  { projectId, id }: Pick<Erasure, 'projectId' | 'id'>,
  states: readonly string[] = ['found', 'erased', 'kept'],
): Promise<Record<string, number>> {
  const rows = await prepared<{ type: string; n: number }>(
    tx,
    `SELECT resource_type AS type, count(*)::integer AS n FROM erasure_resource
     WHERE project_id = $1 AND erasure_id = $2 AND state = ANY($3) GROUP BY 1 ORDER BY 1`,
    [projectId, id, states],
  );
  return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
}

/** An erasure as the API returns it. */
export async function presentErasure(tx: Tx, erasure: Erasure): Promise<ErasureRecord> {
  return {
    id: erasure.id,
    project_id: erasure.projectId,
    state: erasure.state,
    percent: erasure.percent,
    value_count: erasure.valueCount,
    objects: erasure.objects,
    found: await countByType(tx, erasure),
    ordinary_words: erasure.ordinaryWords,
    requested_by: erasure.requestedBy,
    confirmed_by: erasure.confirmedBy,
    created_at: erasure.createdAt.toISOString(),
    finished_at: erasure.finishedAt?.toISOString() ?? null,
    report: erasure.report,
    version: erasure.version,
  };
}
