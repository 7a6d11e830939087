import { grants, type Scope, scopes } from '@scriptorium/contracts/scopes';
import type { Pool } from 'undici';
import { createProject } from '../../../src/access/projects.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import type { Tenant } from '../../../test/support/api.ts';
import { makeFixtures } from '../../../test/support/fixtures.ts';
import type { Dice } from '../dice.ts';
import { KnownResources } from './known-resources.ts';
import type { Target } from './target.ts';

/** A key, and a portal session that it started. */
export interface Caller {
  scopes: readonly string[];
  headers: Record<string, string>;
  session: Record<string, string>;
}

/** A project, with its client's knowledge of it. */
export interface FuzzProject {
  projectId: string;
  /**
   * Included in the texts that its requests store. No response to another project may contain it.
   */
  canary: string;
  known: KnownResources;
  /** The first has all scopes. */
  callers: Caller[];
}

/** Whether a key may call an operation that requires these. */
export function mayCall(caller: Caller, requiredScopes: readonly string[]): boolean {
  return requiredScopes.every((scope) => grants(caller.scopes, scope as Scope));
}

/** The simulated address of a request: limits by address are not tested here. */
export function randomAddress(dice: Dice): string {
  return `10.1.${dice.below(256)}.${dice.below(16)}`;
}

let projectCount = 0;

/** A project with one resource of each kind, and keys with several sets of scopes. */
export async function createFuzzProject(api: Target, pool: Pool, dice: Dice): Promise<FuzzProject> {
  projectCount += 1;
  const project = await inTransaction(api.owner, (tx) => createProject(tx, `Fuzz ${projectCount}`));
  const tenant: Tenant = {
    projectId: project.projectId,
    keyId: project.keyId,
    key: project.secret,
  };
  await removeRateLimits(api, tenant);
  const fixtures = await makeFixtures(api, tenant);
  const protectedIds = new Set([tenant.keyId]);
  const callers = [await beginSession(pool, dice, tenant, tenant.key, ['*'])];
  for (const keyScopes of chooseScopes(dice)) {
    const body = { name: 'Some scopes', scopes: keyScopes };
    const issued = await api.call('POST', '/v1/keys', { ...tenant, body });
    if (issued.status !== 201) throw new Error(`POST /v1/keys: ${issued.status} ${issued.text}`);
    protectedIds.add(issued.json.id);
    await removeRateLimits(api, { ...tenant, keyId: issued.json.id });
    callers.push(await beginSession(pool, dice, tenant, issued.json.api_key, keyScopes));
  }
  const resources = new KnownResources(protectedIds);
  resources.learn(JSON.stringify(fixtures), dice);
  // Only letters, so that a search by words finds it too.
  const letters = [...String(10_000 + projectCount)]
    .map((digit) => 'abcdefghij'[Number(digit)])
    .join('');
  return { projectId: project.projectId, canary: `zcanary${letters}z`, known: resources, callers };
}

/** Removes a key's rate limits, which are not tested here. */
async function removeRateLimits(api: Target, { projectId, keyId }: Tenant): Promise<void> {
  await api.rows(
    `UPDATE api_key SET read_per_minute = 1000000, write_per_minute = 1000000
     WHERE project_id = $1 AND id = $2`,
    [projectId, keyId],
  );
}

/** A read-only set of scopes, one without a third of them, and a single scope. */
function chooseScopes(dice: Dice): string[][] {
  const all = scopes.filter((scope) => scope !== '*');
  const partial = all.filter(() => !dice.chance(0.34));
  return [all.filter((scope) => scope.endsWith(':read')), partial, [dice.pick(all)]];
}

async function beginSession(
  pool: Pool,
  dice: Dice,
  tenant: Tenant,
  key: string,
  keyScopes: readonly string[],
): Promise<Caller> {
  const headers = {
    authorization: `Bearer ${key}`,
    'x-service-project-id': tenant.projectId,
  };
  const response = await pool.request({
    method: 'POST',
    path: '/portal/session',
    headers: { ...headers, 'x-forwarded-for': randomAddress(dice) },
  });
  const { csrf_token: token } = (await response.body.json()) as { csrf_token: string };
  const cookie = String(response.headers['set-cookie']).split(';')[0]!;
  return { scopes: keyScopes, headers, session: { cookie, 'x-csrf-token': token } };
}
