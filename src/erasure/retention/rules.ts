import { isDeepStrictEqual } from 'node:util';
import type { EventData } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem, referenceNotFound, validationFailed } from '@scriptorium/contracts/problems';
import type {
  RetentionRuleCreate,
  RetentionRuleRecord,
  RetentionTerm,
} from '@scriptorium/contracts/wire/retention';
import { LessThan } from 'typeorm';
import { postgresTime } from '../../db/postgres-time.ts';
import {
  nextVersion,
  sendDelete,
  sendInsert,
  sendUpdate,
  transactionTime,
} from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { RetentionRule } from '../../entities/erasure/retention-rule.ts';
import { Collection } from '../../entities/library/collection.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';

/** Up to `limit` of the project's rules, newest first. */
export function listRules(
  tx: Tx,
  projectId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<RetentionRule[]> {
  return tx.find(RetentionRule, {
    where: { projectId, ...(before !== undefined && { id: LessThan(before) }) },
    order: { id: 'DESC' },
    take: limit,
  });
}

/** The number of rules of a project. */
export function countRules(tx: Tx, projectId: string): Promise<number> {
  return tx.countBy(RetentionRule, { projectId });
}

/** A rule; null if it does not exist. */
export function findRule(tx: Tx, projectId: string, id: string): Promise<RetentionRule | null> {
  return tx.findOneBy(RetentionRule, { projectId, id });
}

/** A rule, locked until the transaction ends; null if it does not exist. */
export function lockRule(tx: Tx, projectId: string, id: string): Promise<RetentionRule | null> {
  return tx.findOne(RetentionRule, {
    where: { projectId, id },
    lock: { mode: 'pessimistic_write' },
  });
}

/**
 * Creates a rule, and starts applying rules if it is the first.
 * @throws Problem 422 for an unknown or smart collection or a time in the past, 409 for too many
 *   rules
 */
export async function createRule(
  tx: Tx,
  origin: Origin,
  { scope, rule }: RetentionRuleCreate,
): Promise<RetentionRule> {
  const { projectId } = origin;
  rejectPast(rule);
  const collectionId = scope.type === 'collection' ? scope.collection_id : null;
  if (collectionId !== null) await requireManualCollection(tx, projectId, collectionId);
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('retention ' || $1, 0))`, [
    projectId,
  ]);
  if ((await countRules(tx, projectId)) >= limits.retention_rules_per_project) {
    const detail = `The project already has ${pluralise(limits.retention_rules_per_project, 'retention rule')}, the maximum. Delete one first.`;
    throw new Problem('state_conflict', detail, {
      extra: { limit: limits.retention_rules_per_project },
    });
  }
  const key = { projectId, id: newId('retention_rule') };
  sendInsert(tx, RetentionRule, {
    ...key,
    scopeType: scope.type,
    collectionId,
    ...columnsOf(rule),
  });
  await startApplying(tx, projectId);
  const row = await tx.findOneByOrFail(RetentionRule, key);
  await recordChange(tx, origin, 'created', row);
  return row;
}

/**
 * Replaces what a locked rule does. If nothing changes, it keeps its version and no event is
 * recorded.
 * @throws Problem 422 for a time in the past
 */
export async function changeRule(
  tx: Tx,
  origin: Origin,
  row: RetentionRule,
  rule: RetentionTerm,
): Promise<RetentionRule> {
  if (isDeepStrictEqual(presentTerm(row), presentTerm({ ...row, ...columnsOf(rule) }))) return row;
  rejectPast(rule);
  const key = { projectId: row.projectId, id: row.id };
  sendUpdate(tx, RetentionRule, key, {
    ...columnsOf(rule),
    updatedAt: transactionTime,
    version: nextVersion,
  });
  const changed = await tx.findOneByOrFail(RetentionRule, key);
  await recordChange(tx, origin, 'updated', changed);
  return changed;
}

/** Deletes a locked rule. */
export async function deleteRule(tx: Tx, origin: Origin, row: RetentionRule): Promise<void> {
  sendDelete(tx, RetentionRule, { projectId: row.projectId, id: row.id });
  await recordChange(tx, origin, 'deleted', row);
}

/** A rule as the API returns it. */
export function presentRule(row: RetentionRule): RetentionRuleRecord {
  return {
    id: row.id,
    project_id: row.projectId,
    scope:
      row.collectionId === null
        ? { type: 'project' }
        : { type: 'collection', collection_id: row.collectionId },
    rule: presentTerm(row),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    version: row.version,
  };
}

function presentTerm({
  type,
  days,
  until,
}: Pick<RetentionRule, 'type' | 'days' | 'until'>): RetentionTerm {
  // A constraint of the table requires the one that belongs to the type.
  return type === 'keep_until' ? { type, until: until!.toISOString() } : { type, days: days! };
}

function columnsOf(rule: RetentionTerm): Pick<RetentionRule, 'type' | 'days' | 'until'> {
  return rule.type === 'keep_until'
    ? { type: rule.type, days: null, until: new Date(rule.until) }
    : { type: rule.type, days: rule.days, until: null };
}

function rejectPast(rule: RetentionTerm): void {
  if (rule.type !== 'keep_until' || new Date(rule.until).getTime() > postgresTime()) return;
  throw validationFailed([
    { pointer: '/rule/until', code: 'in_the_past', detail: 'It must be in the future.' },
  ]);
}

async function requireManualCollection(tx: Tx, projectId: string, id: string): Promise<void> {
  const pointer = '/scope/collection_id';
  const collection = await tx.findOne(Collection, {
    where: { projectId, id },
    lock: { mode: 'for_key_share' },
  });
  if (!collection) throw referenceNotFound(pointer, id);
  if (collection.kind === 'manual') return;
  const detail = `'${id}' is a smart collection, whose members are not stored. Use a manual collection.`;
  throw validationFailed([{ pointer, code: 'smart_collection', detail }]);
}

/** Starts the chain of tasks, each of which schedules the next, unless it runs already. */
async function startApplying(tx: Tx, projectId: string): Promise<void> {
  const [task] = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM task WHERE project_id = $1 AND kind = 'retention.apply' LIMIT 1`,
    [projectId],
  );
  if (task) return;
  await schedule(tx, projectId, projectId, { kind: 'retention.apply', payload: {} });
}

async function recordChange(
  tx: Tx,
  origin: Origin,
  change: 'created' | 'updated' | 'deleted',
  { id, type, collectionId, days, until }: RetentionRule,
): Promise<void> {
  const data: EventData<'dam.retention_rule.created'> = {
    type,
    collection_id: collectionId,
    days,
    until: until?.toISOString() ?? null,
  };
  await record(tx, origin, { type: `dam.retention_rule.${change}`, resourceId: id, data });
}
