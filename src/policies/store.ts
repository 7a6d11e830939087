import { isDeepStrictEqual } from 'node:util';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { stickyRules } from '@scriptorium/contracts/rules';
import type {
  PolicyCreate,
  PolicyPatch,
  PolicyRecord,
  PolicySort,
} from '@scriptorium/contracts/wire/policies';
import { Conditions } from '../db/statements/conditions.ts';
import {
  keysetOf,
  type Position,
  type Positioned,
  type Sort,
  type SortKeys,
} from '../db/statements/keyset.ts';
import {
  nextVersion,
  selectListOf,
  sendDelete,
  sendInsert,
  sendUpdate,
  transactionTime,
} from '../db/statements/rows.ts';
import { query, type Tx } from '../db/transaction.ts';
import { PolicyRow } from '../entities/policies/policy.ts';
import { record } from '../outbox/record.ts';
import type { Policy } from './decision/decide.ts';
import { holdScope, lockScopes, releaseHolds } from './facts/holds.ts';
import { type CheckedDraft, checkDraft } from './validate.ts';

/**
 * A policy of a project, locked against other changes until the transaction ends (holds may still
 * refer to it); null if it does not exist.
 */
export function lockPolicy(tx: Tx, projectId: string, id: string): Promise<PolicyRow | null> {
  return tx.findOne(PolicyRow, { where: { projectId, id }, lock: { mode: 'for_no_key_update' } });
}

/** A policy of a project; null if it does not exist. */
export function findPolicy(tx: Tx, projectId: string, id: string): Promise<PolicyRow | null> {
  return tx.findOneBy(PolicyRow, { projectId, id });
}

const sortKeys: SortKeys<PolicySort> = {
  created_at: 'id',
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  name: { column: 'lower(name)', type: 'text' },
  mode: { column: 'mode', type: 'text' },
};

/** Up to `limit` of the project's policies after a position, sorted. */
export async function listPolicies(
  tx: Tx,
  projectId: string,
  page: { sort: Sort<PolicySort>; after: Position | null; limit: number },
): Promise<{ row: PolicyRow; position: string[] }[]> {
  const keyset = keysetOf(sortKeys, page.sort);
  const where = new Conditions();
  where.add('project_id = ?', projectId);
  keyset.startAfter(where, page.after);
  const rows = await query<PolicyRow & Positioned>(
    tx,
    `SELECT ${selectListOf(tx, PolicyRow)}, ${keyset.position} FROM policy WHERE ${where.sql()}
     ORDER BY ${keyset.order} LIMIT ${where.bind(page.limit)}`,
    where.values,
  );
  return rows.map((row) => ({ row, position: keyset.positionOf(row) }));
}

/** The number of policies of a project. */
export function countPolicies(tx: Tx, projectId: string): Promise<number> {
  return tx.countBy(PolicyRow, { projectId });
}

/**
 * Creates a policy, with the holds on the objects in its scope.
 * @throws Problem 422 for an invalid draft, 409 if the project has the maximum number of policies
 */
export async function createPolicy(
  tx: Tx,
  origin: Origin,
  draft: PolicyCreate,
): Promise<PolicyRow> {
  const { projectId } = origin;
  const checked = await checkDraft(tx, projectId, draft);
  lockScopes(tx, projectId, 'exclusive');
  if ((await countPolicies(tx, projectId)) >= limits.policies_per_project) {
    throw new Problem(
      'state_conflict',
      `The project already has ${pluralise(limits.policies_per_project, 'policy', 'policies')}, the maximum. Delete one first.`,
      { extra: { limit: limits.policies_per_project } },
    );
  }
  const key = { projectId, id: newId('policy') };
  sendInsert(tx, PolicyRow, { ...key, ...columnsOf(checked) });
  const row = await tx.findOneByOrFail(PolicyRow, key);
  await holdScope(tx, row);
  await record(tx, origin, {
    type: 'dam.policy.created',
    resourceId: row.id,
    data: { name: row.name, mode: row.mode },
  });
  return row;
}

/**
 * Changes a locked policy: `scope` and `rules` are replaced, `when` is merged. If nothing changes, the
 * policy keeps its version and no event is recorded.
 */
export async function updatePolicy(
  tx: Tx,
  origin: Origin,
  policy: PolicyRow,
  patch: PolicyPatch,
): Promise<PolicyRow> {
  const current = presentPolicy(policy);
  const draft: PolicyCreate = {
    name: patch.name ?? current.name,
    mode: patch.mode ?? current.mode,
    scope: patch.scope ?? current.scope,
    actions: patch.actions ?? current.actions,
    rules: patch.rules ?? current.rules,
    when: patch.when === undefined ? current.when : mergeWhen(current.when, patch.when),
  };
  const checked = await checkDraft(tx, policy.projectId, draft, {
    // A stored collection may have been deleted, so only those in the request are looked up.
    referencesChecked: patch.scope === undefined,
  });
  const fields = ['name', 'mode', 'scope', 'actions', 'when', 'rules'] as const;
  const changedFields = fields.filter(
    (field) => !isDeepStrictEqual(current[field], checked[field]),
  );
  if (changedFields.length === 0) return policy;
  lockScopes(tx, policy.projectId, 'exclusive');
  const key = { projectId: policy.projectId, id: policy.id };
  sendUpdate(tx, PolicyRow, key, {
    ...columnsOf(checked),
    updatedAt: transactionTime,
    version: nextVersion,
  });
  const row = await tx.findOneByOrFail(PolicyRow, key);
  await releaseHolds(tx, row);
  await holdScope(tx, row);
  await record(tx, origin, {
    type: 'dam.policy.updated',
    resourceId: policy.id,
    data: { changed: [...changedFields] },
  });
  return row;
}

/** Deletes a locked policy and all of its holds. */
export async function deletePolicy(tx: Tx, origin: Origin, policy: PolicyRow): Promise<void> {
  lockScopes(tx, policy.projectId, 'exclusive');
  sendDelete(tx, PolicyRow, { projectId: policy.projectId, id: policy.id });
  await record(tx, origin, {
    type: 'dam.policy.deleted',
    resourceId: policy.id,
    data: { name: policy.name, mode: policy.mode },
  });
}

/** A policy as the API returns it. */
export function presentPolicy(row: PolicyRow): PolicyRecord {
  return {
    id: row.id,
    project_id: row.projectId,
    name: row.name,
    mode: row.mode,
    scope: presentScope(row),
    actions: row.actions,
    when: row.conditions,
    rules: row.rules,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    version: row.version,
  };
}

function presentScope(row: PolicyRow): PolicyRecord['scope'] {
  switch (row.scopeType) {
    case 'project':
      return { type: 'project' };
    case 'tag':
      return { type: 'tag', tags: row.scopeMembers };
    case 'collection':
      return { type: 'collection', ids: row.scopeMembers };
  }
}

/** A policy in the form that decisions use. */
export function toPolicy(row: PolicyRow): Policy {
  const { id, mode, actions, rules, conditions } = row;
  return { id, mode, actions, rules, when: conditions, scope: presentScope(row) };
}

function columnsOf({ name, mode, scope, actions, when, rules }: CheckedDraft) {
  return {
    name,
    mode,
    scopeType: scope.type,
    scopeMembers: scope.type === 'tag' ? scope.tags : scope.type === 'collection' ? scope.ids : [],
    actions,
    conditions: when,
    rules,
    stickyRules: stickyRules.filter((name) => rules.some(({ type }) => type === name)),
  };
}

function mergeWhen(
  current: PolicyRecord['when'],
  patch: NonNullable<PolicyPatch['when']> | null,
): PolicyRecord['when'] {
  if (patch === null) return null;
  const merged = { ...current, ...patch };
  const { mime, labels } = merged;
  return { ...(mime ? { mime } : {}), ...(labels ? { labels } : {}) };
}
