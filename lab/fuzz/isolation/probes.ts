import type { IdKind } from '@scriptorium/contracts/ids';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import type { Route } from '../../../src/api/frame/route.ts';
import { isIdKind, paramNames, paramRule } from '../../../src/api/frame/route-properties.ts';
import type { Shape } from '../../../src/api/requests/check/schema.ts';
import { routes } from '../../../src/api/routes/index.ts';
import {
  type Fixtures,
  fillPath,
  idKindsOf,
  requiredQuery,
  validBodies,
} from '../../../test/support/fixtures.ts';
import { idPositions, replaceAt } from '../../../test/support/id-positions.ts';
import { validData } from '../../../test/support/request-data.ts';

/** A request of one project whose response must not depend on another project's rows. */
export interface Probe {
  name: string;
  method: string;
  path: string;
  body: unknown;
}

/** Operations that wait for a worker or never end. */
const endlessOperations = ['streamEvents', 'getPageImage', 'getPageText', 'archiveObjects'];

/** Requests for `mine` and for `theirs`, with every route and every identifier. */
export function makeProbes(ownFixtures: Fixtures, otherFixtures: Fixtures): Probe[] {
  return routes
    .filter(({ operationId }) => !endlessOperations.includes(operationId))
    .flatMap((route) => [
      ...ownProbes(route, ownFixtures),
      ...foreignProbes(route, ownFixtures, otherFixtures),
    ]);
}

function ownProbes(route: Route, ownFixtures: Fixtures): Probe[] {
  const query = requiredQuery(route, ownFixtures);
  const probes = [
    probe(route, 'own', fillPath(route, ownFixtures), query, ownBody(route, ownFixtures)),
  ];
  const { properties = {} } = (route.query ?? {}) as { properties?: Record<string, TSchema> };
  for (const [name, schema] of Object.entries(properties)) {
    if (['cursor', 'wait_seconds', 'limit'].includes(name)) continue;
    for (const value of queryValues(name, schema, ownFixtures)) {
      const changedQuery = { ...query, [name]: value };
      const title = `own ?${name}=${value}`;
      probes.push(
        probe(
          route,
          title,
          fillPath(route, ownFixtures),
          changedQuery,
          ownBody(route, ownFixtures),
        ),
      );
    }
  }
  return probes;
}

function foreignProbes(route: Route, ownFixtures: Fixtures, otherFixtures: Fixtures): Probe[] {
  const query = requiredQuery(route, ownFixtures);
  const probes: Probe[] = [];
  for (const name of paramNames(route.path)) {
    const rule = paramRule(route, name);
    const kinds = rule === undefined ? [] : isIdKind(rule) ? [rule] : idKindsOf(rule);
    for (const kind of kinds) {
      const path = fillPath(route, ownFixtures, { [name]: idOf(otherFixtures, kind) });
      probes.push(probe(route, `foreign {${name}}`, path, query, ownBody(route, ownFixtures)));
    }
  }
  for (const { path, kind } of route.query ? idPositions(route.query) : []) {
    const changedQuery = { ...query, [path[0]!]: idOf(otherFixtures, kind) };
    probes.push(
      probe(
        route,
        `foreign ?${path[0]}`,
        fillPath(route, ownFixtures),
        changedQuery,
        ownBody(route, ownFixtures),
      ),
    );
  }
  const makeBody = validBodies[route.operationId];
  for (const { path, kind } of bodyOf(route) ? idPositions(bodyOf(route)!) : []) {
    if (!makeBody) continue;
    const validBody = makeBody(ownFixtures, path[0] ?? '', path[1] ?? '');
    const body = replaceAt(validBody, path, idOf(otherFixtures, kind));
    probes.push(
      probe(route, `own body ${path.join('/')}`, fillPath(route, ownFixtures), query, validBody),
      probe(route, `foreign body ${path.join('/')}`, fillPath(route, ownFixtures), query, body),
    );
  }
  return probes;
}

function probe(
  route: Route,
  title: string,
  path: string,
  query: Record<string, string>,
  body: unknown,
): Probe {
  const search = new URLSearchParams(query).toString();
  return {
    name: `${route.operationId}: ${title}`,
    method: route.method,
    path: search ? `${path}?${search}` : path,
    body,
  };
}

function bodyOf(route: Route): TSchema | undefined {
  return route.kind === 'json' ? route.body : undefined;
}

/** A body that the route accepts, with identifiers of the project; undefined if it has no body. */
function ownBody(route: Route, ownFixtures: Fixtures): unknown {
  if (route.method === 'GET' || route.method === 'DELETE') return undefined;
  const makeBody = validBodies[route.operationId];
  if (makeBody) return makeBody(ownFixtures, '', '');
  const schema = bodyOf(route);
  if (!schema) return undefined;
  const [sample] = fc.sample(validData(schema as Shape), { numRuns: 1, seed: 7 });
  let body: unknown = JSON.parse(JSON.stringify(sample));
  for (const { path, kind } of idPositions(schema)) {
    if (hasAt(body, path)) body = replaceAt(body, path, idOf(ownFixtures, kind));
  }
  return body;
}

function hasAt(value: unknown, path: readonly string[]): boolean {
  return (
    path.reduce<unknown>(
      (at, step) => (at as Record<string, unknown> | null | undefined)?.[step],
      value,
    ) !== undefined
  );
}

/** Values of a filter, one of which matches existing rows. */
function queryValues(name: string, schema: TSchema, ownFixtures: Fixtures): string[] {
  const { type, items, enum: allowed, format } = schema as Shape;
  if (name === 'q' || name === 'tag') return ['fixture'];
  const [kind] = idKindsOf(schema);
  if (kind) return [idOf(ownFixtures, kind)];
  if (type === 'array') return items?.enum ? [items.enum.join(',')] : [];
  if (type === 'boolean') return ['true', 'false'];
  if (allowed) return allowed.slice(-4).map(String);
  if (type === 'integer' || type === 'number') return ['1', '1000'];
  return format === 'date-time' ? ['2026-01-31T12:00:00Z', '2036-01-31T12:00:00Z'] : [];
}

function idOf(fixtures: Fixtures, kind: IdKind): string {
  const id = fixtures[kind];
  if (id === undefined) throw new Error(`A fixture of the kind ${kind} is missing.`);
  return id;
}
