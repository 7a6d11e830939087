import { newId } from '../contracts/ids.ts';
import type { Origin } from '../contracts/origin.ts';
import type { Scope } from '../contracts/scopes.ts';
import { enterProject, query, type Tx } from '../db/transaction.ts';
import { schedule } from '../outbox/schedule.ts';
import { createDefaultPolicies } from '../policies/defaults.ts';
import { createKey, findKey, revokeKey } from './keys.ts';

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
  await enterProject(tx, projectId);
  const [project] = await query(tx, 'SELECT id FROM project WHERE id = $1', [projectId]);
  if (!project) throw new Error(`There is no project '${projectId}'.`);
  const { key, secret } = await createKey(tx, operatorOf(projectId), null, wanted);
  return { keyId: key.id, secret };
}

/** Ends a key in the operator's name. */
export async function revokeKeyById(tx: Tx, projectId: string, keyId: string): Promise<void> {
  await enterProject(tx, projectId);
  const key = await findKey(tx, keyId);
  if (!key) throw new Error(`There is no key '${keyId}' in the project '${projectId}'.`);
  await revokeKey(tx, operatorOf(projectId), key);
}
