import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Scope } from '@scriptorium/contracts/scopes';
import { sendInsert, sendUpdate } from '../db/statements/rows.ts';
import { enterProject, query, type Tx } from '../db/transaction.ts';
import { Project } from '../entities/access/project.ts';
import { schedule } from '../outbox/schedule.ts';
import { createDefaultPolicies } from '../policies/defaults.ts';
import { createKey, lockKeyWithOffers, revokeKey } from './keys/keys.ts';
import { listKeys, presentKey } from './keys/read.ts';
import { isBeingDeleted } from './project-deletions.ts';

/** The origin of changes made on the command line. */
export function operatorOrigin(projectId: string): Origin {
  return {
    projectId,
    actor: { type: 'operator', id: null },
    address: null,
    requestId: null,
  };
}

/** A project and its first key, whose secret is shown only here. */
interface NewProject {
  projectId: string;
  keyId: string;
  secret: string;
}

/**
 * Creates a project, a first key with all scopes, and the default policies. `tx` must be the owner's,
 * since the role `api` cannot create projects.
 */
export async function createProject(tx: Tx, name: string): Promise<NewProject> {
  const projectId = newId('project');
  await enterProject(tx, projectId);
  sendInsert(tx, Project, { id: projectId, name });
  const { key, secret } = await createKey(tx, operatorOrigin(projectId), null, {
    name: 'First key',
    scopes: ['*'],
  });
  await createDefaultPolicies(tx, operatorOrigin(projectId));
  // Starts two chains of tasks: each run schedules the next of its kind.
  await schedule(
    tx,
    projectId,
    projectId,
    { kind: 'project.tidy', payload: {}, dueInSeconds: 3_600 },
    { kind: 'project.sweep', payload: {}, dueInSeconds: 24 * 3_600 },
  );
  return { projectId, keyId: key.id, secret };
}

/** Issues a key on behalf of the operator. */
export async function issueKey(
  tx: Tx,
  projectId: string,
  fields: {
    name: string;
    scopes: Scope[];
    read_per_minute?: number | null;
    write_per_minute?: number | null;
  },
): Promise<{ keyId: string; secret: string }> {
  await requireProject(tx, projectId);
  const { key, secret } = await createKey(tx, operatorOrigin(projectId), null, fields);
  return { keyId: key.id, secret };
}

/** Revokes a key on behalf of the operator. */
export async function revokeKeyById(tx: Tx, projectId: string, keyId: string): Promise<void> {
  await enterProject(tx, projectId);
  const key = await lockKeyWithOffers(tx, keyId);
  if (!key) throw new Error(`API key '${keyId}' not found in project '${projectId}'.`);
  await revokeKey(tx, operatorOrigin(projectId), null, key);
}

/** Revokes all active keys of a project and returns their identifiers. */
export async function revokeAllKeys(tx: Tx, projectId: string): Promise<string[]> {
  await requireProject(tx, projectId);
  const active = await listKeys(tx, { state: ['active'], limit: maxKeys });
  for (const found of active) {
    const key = await lockKeyWithOffers(tx, found.key.id);
    if (key) await revokeKey(tx, operatorOrigin(projectId), null, key);
  }
  return active.map(({ key }) => key.id);
}

/** Exceeds the number of keys of any project. */
const maxKeys = 100_000;

/** The keys of the current project, newest first, without their secrets. */
export async function listProjectKeys(tx: Tx) {
  return (await listKeys(tx, { limit: maxKeys })).map(({ key }) => presentKey(key));
}

/** A project as the command line shows it. */
interface ProjectSummary {
  id: string;
  name: string;
  created_at: Date;
}

function presentProject({ id, name, createdAt }: Project): ProjectSummary {
  return { id, name, created_at: createdAt };
}

/** All projects, oldest first. `tx` is the owner's. */
export async function listProjects(tx: Tx): Promise<ProjectSummary[]> {
  return (await tx.find(Project, { order: { id: 'ASC' } })).map(presentProject);
}

/** The current project, with the numbers of its resources. */
export async function showProject(
  tx: Tx,
  projectId: string,
): Promise<ProjectSummary & { counts: Record<string, number> }> {
  const project = await tx.findOneByOrFail(Project, { id: projectId });
  const rows = await query<{ what: string; n: number }>(
    tx,
    countSources
      .map(
        ([what, from]) =>
          `SELECT '${what}' AS what, count(*) AS n FROM ${from} AND project_id = $1`,
      )
      .join(' UNION ALL '),
    [projectId],
  );
  return {
    ...presentProject(project),
    counts: Object.fromEntries(rows.map(({ what, n }) => [what, n])),
  };
}

/** The counts that `showProject` returns, and the rows that they come from. */
const countSources = [
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

/** Renames the current project. */
export async function renameProject(tx: Tx, projectId: string, name: string): Promise<void> {
  sendUpdate(tx, Project, { id: projectId }, { name });
}

/**
 * Restricts the transaction to a project.
 * @throws Error if the project does not exist or is being deleted
 */
export async function requireProject(tx: Tx, projectId: string): Promise<void> {
  await enterProject(tx, projectId);
  if (!(await tx.existsBy(Project, { id: projectId }))) {
    throw new Error(`Project '${projectId}' not found.`);
  }
  if (await isBeingDeleted(tx, projectId)) {
    throw new Error(`Project '${projectId}' is being deleted.`);
  }
}
