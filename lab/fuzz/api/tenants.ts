import { grants, type Scope, scopes } from '@scriptorium/contracts/scopes';
import type { Pool } from 'undici';
import { createProject } from '../../../src/access/projects.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import type { Tenant } from '../../../test/support/api.ts';
import { makeFixtures } from '../../../test/support/fixtures.ts';
import type { Dice } from '../dice.ts';
import { Known } from './known.ts';
import type { Target } from './target.ts';

/** A key, and a portal session that it started. */
export interface Caller {
  scopes: readonly string[];
  headers: Record<string, string>;
  session: Record<string, string>;
}

/** A project, with its client's knowledge of it. */
export interface Party {
  projectId: string;
  /**
   * Included in the texts that its requests store. No response to another project may contain it.
   */
  canary: string;
  known: Known;
  /** The first has all scopes. */
  callers: Caller[];
}

/** Whether a key may call an operation that requires these. */
export function mayCall(caller: Caller, wanted: readonly string[]): boolean {
  return wanted.every((scope) => grants(caller.scopes, scope as Scope));
}

/** The simulated address of a request: limits by address are not tested here. */
export function someAddress(dice: Dice): string {
  return `10.1.${dice.below(256)}.${dice.below(16)}`;
}

let made = 0;

/** A project with one resource of each kind, and keys with several sets of scopes. */
export async function makeParty(api: Target, pool: Pool, dice: Dice): Promise<Party> {
  made += 1;
  const project = await inTransaction(api.owner, (tx) => createProject(tx, `Fuzz ${made}`));
  const tenant: Tenant = {
    projectId: project.projectId,
    keyId: project.keyId,
    key: project.secret,
  };
  await removeRateLimits(api, tenant);
  const fixtures = await makeFixtures(api, tenant);
  const spared = new Set([tenant.keyId]);
  const callers = [await beginSession(pool, dice, tenant, tenant.key, ['*'])];
  for (const held of someScopes(dice)) {
    const body = { name: 'Some scopes', scopes: held };
    const issued = await api.call('POST', '/v1/keys', { ...tenant, body });
    if (issued.status !== 201) throw new Error(`POST /v1/keys: ${issued.status} ${issued.text}`);
    spared.add(issued.json.id);
    await removeRateLimits(api, { ...tenant, keyId: issued.json.id });
    callers.push(await beginSession(pool, dice, tenant, issued.json.api_key, held));
  }
  const known = new Known(spared);
  known.learn(JSON.stringify(fixtures), dice);
  // Only letters, so that a search by words finds it too.
  const letters = [...String(10_000 + made)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  return { projectId: project.projectId, canary: `zcanary${letters}z`, known, callers };
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
function someScopes(dice: Dice): string[][] {
  const all = scopes.filter((scope) => scope !== '*');
  const some = all.filter(() => !dice.chance(0.34));
  return [all.filter((scope) => scope.endsWith(':read')), some, [dice.pick(all)]];
}

async function beginSession(
  pool: Pool,
  dice: Dice,
  tenant: Tenant,
  key: string,
  held: readonly string[],
): Promise<Caller> {
  const headers = {
    authorization: `Bearer ${key}`,
    'x-service-project-id': tenant.projectId,
  };
  const response = await pool.request({
    method: 'POST',
    path: '/portal/session',
    headers: { ...headers, 'x-forwarded-for': someAddress(dice) },
  });
  const { csrf_token: token } = (await response.body.json()) as { csrf_token: string };
  const cookie = String(response.headers['set-cookie']).split(';')[0]!;
  return { scopes: held, headers, session: { cookie, 'x-csrf-token': token } };
}
