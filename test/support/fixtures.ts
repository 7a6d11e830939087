import type { TSchema } from 'typebox';
import { isIdKind, paramNames, paramRule, type Route } from '../../src/api/route.ts';
import type { IdKind } from '../../src/contracts/ids.ts';
import type { Tenant, TestApi } from './api.ts';

/** One resource of each kind in a project, which belong together: the delivery is the webhook's. */
export type Fixtures = Partial<Record<IdKind, string>>;

/**
 * Makes one resource of each kind that a route has in its path. The suites of bad requests and of
 * isolation need them, and fail for a route with a kind that is not made here.
 */
export async function makeFixtures(api: TestApi, tenant: Tenant): Promise<Fixtures> {
  const key = await api.call('POST', '/v1/keys', {
    ...tenant,
    body: { name: 'Fixture', scopes: ['keys:read'] },
  });
  return { key: key.json.id };
}

/**
 * Valid bodies of routes whose body names resources, by operation. Each identifier in them is
 * replaced by a stranger's in the isolation suite.
 */
export const validBodies: Record<string, (fixtures: Fixtures) => object> = {};

/** A route's path with its parameters filled in; `instead` replaces some of them. */
export function fillPath(
  route: Route,
  fixtures: Fixtures,
  instead: Record<string, string> = {},
): string {
  let path = route.path;
  for (const name of paramNames(route.path)) {
    const value = instead[name] ?? valueFor(route, name, fixtures);
    path = path.replace(`{${name}}`, value);
  }
  return path;
}

function valueFor(route: Route, name: string, fixtures: Fixtures): string {
  const rule = paramRule(route, name);
  if (rule === undefined) throw new Error(`${route.operationId} does not say what {${name}} is.`);
  if (isIdKind(rule)) {
    const id = fixtures[rule];
    if (id) return id;
    throw new Error(
      `${route.operationId} has a ${rule} in its path: make one in makeFixtures (test/support/fixtures.ts).`,
    );
  }
  const { enum: allowed } = rule as TSchema & { enum?: string[] };
  if (allowed?.[0] === undefined)
    throw new Error(`No value for {${name}} of ${route.operationId}.`);
  return allowed[0];
}
