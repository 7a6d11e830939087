import { type IdKind, idPrefixes, newId } from '@scriptorium/contracts/ids';
import { type Scope, scopes } from '@scriptorium/contracts/scopes';
import type { Route } from '../../../src/api/frame/route.ts';
import { startApi, type TestApi } from '../../../test/support/api.ts';
import { type Fixtures, fillPath } from '../../../test/support/fixtures.ts';
import { routeScopes } from '../../../test/support/route-scopes.ts';

/**
 * Calls each route with keys that lack one of its scopes by the table. Returns the routes that a
 * key without one of their scopes may call, with the scope.
 */
export async function findUncheckedScopes(servedRoutes: readonly Route[]): Promise<string[]> {
  const api = await startApi({ routes: servedRoutes });
  try {
    const keys = await keysWithoutOne(api);
    const uncheckedScopes: string[] = [];
    for (const route of servedRoutes) {
      for (const scope of scopesOf(route)) {
        const isRefused = await isForbidden(api, route, keys.get(scope)!);
        if (!isRefused) uncheckedScopes.push(`${route.operationId} ${scope}`);
      }
    }
    return uncheckedScopes;
  } finally {
    await api.close();
  }
}

/** The scopes of a route by the table. */
export function scopesOf({ operationId }: Route): Scope[] {
  const scopeNames = routeScopes[operationId];
  if (scopeNames === undefined)
    throw new Error(`${operationId} is not in test/support/route-scopes.`);
  return scopes.filter((scope) => scopeNames.split(' ').includes(scope));
}

/** Keys that have all scopes but one, by that scope. */
async function keysWithoutOne(api: TestApi): Promise<Map<Scope, string>> {
  const namedScopes = scopes.filter((scope) => scope !== '*');
  const keys = new Map<Scope, string>();
  for (const scope of namedScopes) {
    const others = namedScopes.filter((one) => one !== scope);
    keys.set(scope, (await api.issue(others, { read: 100_000, write: 100_000 })).key);
  }
  return keys;
}

/** Uses resources that do not exist, because scopes are checked first. */
const missingIds: Fixtures = Object.fromEntries(
  (Object.keys(idPrefixes) as IdKind[]).map((kind) => [kind, newId(kind)]),
);

/** Sends no body, because scopes are checked first. */
async function isForbidden(api: TestApi, route: Route, key: string): Promise<boolean> {
  const response = await fetch(api.url + fillPath(route, missingIds), {
    method: route.method,
    headers: { Authorization: `Bearer ${key}`, 'X-Service-Project-ID': api.projectId },
  });
  if (response.status !== 403) {
    // The response may be an endless stream.
    await response.body?.cancel();
    return false;
  }
  return ((await response.json()) as { code: string }).code === 'insufficient_scope';
}
