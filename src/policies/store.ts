import { isDeepStrictEqual } from 'node:util';
import { newId } from '../contracts/ids.ts';
import { limits } from '../contracts/limits.ts';
import type { Origin } from '../contracts/origin.ts';
import { Problem } from '../contracts/problems.ts';
import type { PolicyAction } from '../contracts/rules.ts';
import { stickyRules } from '../contracts/rules.ts';
import type { PolicyCreate, PolicyPatch, PolicyRecord } from '../contracts/wire/policies.ts';
import { Conditions } from '../db/conditions.ts';
import { prepared, query, type Tx } from '../db/transaction.ts';
import type { PolicyRow } from '../entities/policy.ts';
import { record } from '../outbox/record.ts';
import type { Policy } from './decision/decide.ts';
import { holdScope, lockScopes, releaseHolds } from './facts/holds.ts';
import { type CheckedDraft, checkDraft } from './validate.ts';

const columns = `project_id AS "projectId", id, name, mode, scope_type AS "scopeType",
  scope_members AS "scopeMembers", actions, conditions, rules, sticky_rules AS "stickyRules",
  created_at AS "createdAt", updated_at AS "updatedAt", version`;

/** The policies of a project that speak about an action and are not disabled, to decide by. */
export async function loadPolicies(
  tx: Tx,
  projectId: string,
  action: PolicyAction,
): Promise<Policy[]> {
  const rows = await prepared<PolicyRow>(
    tx,
    `SELECT ${columns} FROM policy
     WHERE project_id = $1 AND mode <> 'disabled' AND $2 = ANY(actions)`,
    [projectId, action],
  );
  return rows.map(toPolicy);
}

/**
 * A policy of a project, locked against other changes (holds may still refer to it) until the
 * transaction ends; null when there is none.
 */
export async function lockPolicy(tx: Tx, projectId: string, id: string): Promise<PolicyRow | null> {
  const [row] = await prepared<PolicyRow>(
    tx,
    `SELECT ${columns} FROM policy WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [projectId, id],
  );
  return row ?? null;
}

/** A policy of a project; null when there is none. */
export async function findPolicy(tx: Tx, projectId: string, id: string): Promise<PolicyRow | null> {
  const [row] = await prepared<PolicyRow>(
    tx,
    `SELECT ${columns} FROM policy WHERE project_id = $1 AND id = $2`,
    [projectId, id],
  );
  return row ?? null;
}

/** The project's policies, the newest first, from a position on. */
export async function listPolicies(
  tx: Tx,
  projectId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<PolicyRow[]> {
  const where = new Conditions();
  where.add('project_id = ?', projectId);
  if (before !== null) where.add('id < ?', before);
  return query<PolicyRow>(
    tx,
    `SELECT ${columns} FROM policy WHERE ${where.sql()} ORDER BY id DESC LIMIT ${limit}`,
    where.values,
  );
}

/** How many policies a project has. */
export async function countPolicies(tx: Tx, projectId: string): Promise<number> {
  const [row] = await prepared<{ n: number }>(
    tx,
    'SELECT count(*) AS n FROM policy WHERE project_id = $1',
    [projectId],
  );
  return row!.n;
}

/**
 * Makes a policy, with the holds it lays on what is in its scope.
 * @throws Problem 422 for what makes no sense, 409 when there are as many as there may be
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
      `The project has ${limits.policies_per_project} policies, which is the maximum; delete one first.`,
      { extra: { limit: limits.policies_per_project } },
    );
  }
  const [row] = await prepared<PolicyRow>(
    tx,
    `INSERT INTO policy (project_id, id, name, mode, scope_type, scope_members, actions, conditions, rules, sticky_rules)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${columns}`,
    [projectId, newId('policy'), ...valuesOf(checked)],
  );
  await holdScope(tx, row!);
  await record(tx, origin, {
    type: 'dam.policy.created',
    resourceId: row!.id,
    data: { name: row!.name, mode: row!.mode },
  });
  return row!;
}

/**
 * Changes a policy, which is locked: `scope` and `rules` are replaced, `when` is merged. One that
 * stays as it was keeps its version and records nothing.
 */
export async function updatePolicy(
  tx: Tx,
  origin: Origin,
  policy: PolicyRow,
  patch: PolicyPatch,
): Promise<PolicyRow> {
  const present = presentPolicy(policy);
  const wanted: PolicyCreate = {
    name: patch.name ?? present.name,
    mode: patch.mode ?? present.mode,
    scope: patch.scope ?? present.scope,
    actions: patch.actions ?? present.actions,
    rules: patch.rules ?? present.rules,
    when: patch.when === undefined ? present.when : mergeWhen(present.when, patch.when),
  };
  const checked = await checkDraft(tx, policy.projectId, wanted, {
    // A collection may be gone since; only what is sent is looked up.
    referencesChecked: patch.scope === undefined,
  });
  const fields = ['name', 'mode', 'scope', 'actions', 'when', 'rules'] as const;
  const changed = fields.filter((field) => !isDeepStrictEqual(present[field], checked[field]));
  if (changed.length === 0) return policy;
  lockScopes(tx, policy.projectId, 'exclusive');
  const [row] = await prepared<PolicyRow>(
    tx,
    `UPDATE policy SET name = $3, mode = $4, scope_type = $5, scope_members = $6, actions = $7,
       conditions = $8, rules = $9, sticky_rules = $10, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 RETURNING ${columns}`,
    [policy.projectId, policy.id, ...valuesOf(checked)],
  );
  await releaseHolds(tx, row!);
  await holdScope(tx, row!);
  await record(tx, origin, {
    type: 'dam.policy.updated',
    resourceId: policy.id,
    data: { changed: [...changed] },
  });
  return row!;
}

/** Removes a policy, which is locked, and every hold it laid. */
export async function deletePolicy(tx: Tx, origin: Origin, policy: PolicyRow): Promise<void> {
  lockScopes(tx, policy.projectId, 'exclusive');
  await prepared(tx, 'DELETE FROM policy WHERE project_id = $1 AND id = $2', [
    policy.projectId,
    policy.id,
  ]);
  await record(tx, origin, {
    type: 'dam.policy.deleted',
    resourceId: policy.id,
    data: { name: policy.name, mode: policy.mode },
  });
}

/** A policy as the API shows it. */
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

/** A policy as it is decided by. */
export function toPolicy(row: PolicyRow): Policy {
  const { id, mode, actions, rules, conditions } = row;
  return { id, mode, actions, rules, when: conditions, scope: presentScope(row) };
}

function valuesOf(draft: CheckedDraft): unknown[] {
  const { scope, when, rules } = draft;
  const members = scope.type === 'tag' ? scope.tags : scope.type === 'collection' ? scope.ids : [];
  const sticky = stickyRules.filter((name) => rules.some(({ type }) => type === name));
  return [
    draft.name,
    draft.mode,
    scope.type,
    members,
    draft.actions,
    when && JSON.stringify(when),
    JSON.stringify(rules),
    sticky,
  ];
}

function mergeWhen(
  present: PolicyRecord['when'],
  patch: NonNullable<PolicyPatch['when']> | null,
): PolicyRecord['when'] {
  if (patch === null) return null;
  const merged = { ...present, ...patch };
  const { mime, labels } = merged;
  return { ...(mime ? { mime } : {}), ...(labels ? { labels } : {}) };
}
