import { newId } from '../contracts/ids.ts';
import type { Origin } from '../contracts/origin.ts';
import type { Scope } from '../contracts/scopes.ts';
import { enterProject, query, type Tx } from '../db/transaction.ts';
import { schedule } from '../outbox/schedule.ts';
import { createDefaultPolicies } from '../policies/defaults.ts';
import { createKey, listKeys, lockKey, presentKey, revokeKey } from './keys.ts';

/** Who acts on the command line. */
function operatorOf(projectId: string): Origin {
  return {
    projectId,
    actor: { type: 'operator', id: null },
    address: null,
    requestId: null,
  };
}

/** A tenant and its first key, whose secret is shown this once. */
interface NewProject {
  projectId: string;
  keyId: string;
  secret: string;
}

/**
 * Makes a project, a first key with all scopes, and the policies a project starts with. `tx` is the
 * owner's: `api` cannot do this.
 */
export async function createProject(tx: Tx, name: string): Promise<NewProject> {
  const projectId = newId('project');
  await enterProject(tx, projectId);
  await query(tx, 'INSERT INTO project (id, name) VALUES ($1, $2)', [projectId, name]);
  const { key, secret } = await createKey(tx, operatorOf(projectId), null, {
    name: 'First key',
    scopes: ['*'],
  });
  await createDefaultPolicies(tx, operatorOf(projectId));
  // The first of two chains: each run schedules the next.
  await schedule(
    tx,
    projectId,
    projectId,
    { kind: 'project.tidy', payload: {}, dueInSeconds: 3_600 },
    { kind: 'project.sweep', payload: {}, dueInSeconds: 24 * 3_600 },
  );
  return { projectId, keyId: key.id, secret };
}

/** Issues a key in the operator's name, with rates of its own where given. */
export async function issueKey(
  tx: Tx,
  projectId: string,
  wanted: {
    name: string;
    scopes: Scope[];
    read_per_minute?: number | null;
    write_per_minute?: number | null;
  },
): Promise<{ keyId: string; secret: string }> {
  await requireProject(tx, projectId);
  const { key, secret } = await createKey(tx, operatorOf(projectId), null, wanted);
  return { keyId: key.id, secret };
}

/** Ends a key in the operator's name. */
export async function revokeKeyById(tx: Tx, projectId: string, keyId: string): Promise<void> {
  await enterProject(tx, projectId);
  const key = await lockKey(tx, keyId);
  if (!key) throw new Error(`There is no key '${keyId}' in the project '${projectId}'.`);
  await revokeKey(tx, operatorOf(projectId), null, key);
}

/** Ends all keys of a project that are left; returns which. Nobody gets in until one is issued. */
export async function revokeAllKeys(tx: Tx, projectId: string): Promise<string[]> {
  await requireProject(tx, projectId);
  const active = await listKeys(tx, { state: ['active'], limit: everyKey });
  for (const { id } of active) {
    const key = await lockKey(tx, id);
    if (key) await revokeKey(tx, operatorOf(projectId), null, key);
  }
  return active.map(({ id }) => id);
}

/** More keys than any project has. */
const everyKey = 100_000;

/** The keys of the wall's project, newest first, without their secrets. */
export async function listProjectKeys(tx: Tx) {
  return (await listKeys(tx, { limit: everyKey })).map(presentKey);
}

interface ProjectRow {
  id: string;
  name: string;
  created_at: Date;
}

/** All projects, oldest first. `tx` is the owner's. */
export async function listProjects(tx: Tx): Promise<ProjectRow[]> {
  return query(tx, 'SELECT id, name, created_at FROM project ORDER BY id', []);
}

/** The wall's project, and how much it holds. */
export async function showProject(
  tx: Tx,
  projectId: string,
): Promise<ProjectRow & { counts: Record<string, number> }> {
  const [project] = await query<ProjectRow>(
    tx,
    'SELECT id, name, created_at FROM project WHERE id = $1',
    [projectId],
  );
  const rows = await query<{ what: string; n: number }>(
    tx,
    counted
      .map(
        ([what, from]) =>
          `SELECT '${what}' AS what, count(*) AS n FROM ${from} AND project_id = $1`,
      )
      .join(' UNION ALL '),
    [projectId],
  );
  return { ...project!, counts: Object.fromEntries(rows.map(({ what, n }) => [what, n])) };
}

/** What `showProject` counts, by the name it tells it under. */
const counted = [
  ['keys_active', 'api_key WHERE (revoked_at IS NULL OR revoked_at > now())'],
  ['objects', `object WHERE state <> 'trashed'`],
  ['objects_trashed', `object WHERE state = 'trashed'`],
  ['images', 'image WHERE true'],
  ['collections', 'collection WHERE true'],
  ['uploads_under_way', 'upload WHERE true'],
  ['jobs', 'job WHERE true'],
  ['jobs_unfinished', 'job WHERE finished_at IS NULL'],
  ['tasks', 'task WHERE true'],
  ['webhooks', 'webhook_endpoint WHERE true'],
  ['deliveries_pending', 'due_delivery WHERE true'],
  ['policies', 'policy WHERE true'],
] as const;

/** Gives the wall's project another name, which only operators see. */
export async function renameProject(tx: Tx, projectId: string, name: string): Promise<void> {
  await query(tx, 'UPDATE project SET name = $2 WHERE id = $1', [projectId, name]);
}

/** Enters a project, which has to be there. */
export async function requireProject(tx: Tx, projectId: string): Promise<void> {
  await enterProject(tx, projectId);
  const [project] = await query(tx, 'SELECT id FROM project WHERE id = $1', [projectId]);
  if (!project) throw new Error(`There is no project '${projectId}'.`);
}
