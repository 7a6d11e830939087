import type { IdKind } from '@scriptorium/contracts/ids';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import type { Route } from '../../../src/api/frame/route.ts';
import { isIdKind, paramNames, paramRule } from '../../../src/api/frame/route-facts.ts';
import type { Shape } from '../../../src/api/requests/check/schema.ts';
import { routes } from '../../../src/api/routes/index.ts';
import {
  type Fixtures,
  fillPath,
  idKindsOf,
  neededQuery,
  validBodies,
} from '../../../test/support/fixtures.ts';
import { idPositions, replaceAt } from '../../../test/support/id-positions.ts';
import { rightData } from '../../../test/support/request-data.ts';

/** A request of one project whose response must not depend on another project's rows. */
export interface Probe {
  name: string;
  method: string;
  path: string;
  body: unknown;
}

/** Operations that wait for a worker or never end. */
const endless = ['streamEvents', 'getPageImage', 'getPageText', 'archiveObjects'];

/** Requests for `mine` and for `theirs`, with every route and every identifier. */
export function makeProbes(mine: Fixtures, theirs: Fixtures): Probe[] {
  return routes
    .filter(({ operationId }) => !endless.includes(operationId))
    .flatMap((route) => [...ownProbes(route, mine), ...foreignProbes(route, mine, theirs)]);
}

function ownProbes(route: Route, mine: Fixtures): Probe[] {
  const query = neededQuery(route, mine);
  const probes = [probe(route, 'own', fillPath(route, mine), query, ownBody(route, mine))];
  const { properties = {} } = (route.query ?? {}) as { properties?: Record<string, TSchema> };
  for (const [name, schema] of Object.entries(properties)) {
    if (['cursor', 'wait_seconds', 'limit'].includes(name)) continue;
    for (const value of queryValues(name, schema, mine)) {
      const more = { ...query, [name]: value };
      const how = `own ?${name}=${value}`;
      probes.push(probe(route, how, fillPath(route, mine), more, ownBody(route, mine)));
    }
  }
  return probes;
}

function foreignProbes(route: Route, mine: Fixtures, theirs: Fixtures): Probe[] {
  const query = neededQuery(route, mine);
  const probes: Probe[] = [];
  for (const name of paramNames(route.path)) {
    const rule = paramRule(route, name);
    const kinds = rule === undefined ? [] : isIdKind(rule) ? [rule] : idKindsOf(rule);
    for (const kind of kinds) {
      const path = fillPath(route, mine, { [name]: idOf(theirs, kind) });
      probes.push(probe(route, `foreign {${name}}`, path, query, ownBody(route, mine)));
    }
  }
  for (const { path, kind } of route.query ? idPositions(route.query) : []) {
    const more = { ...query, [path[0]!]: idOf(theirs, kind) };
    probes.push(
      probe(route, `foreign ?${path[0]}`, fillPath(route, mine), more, ownBody(route, mine)),
    );
  }
  const make = validBodies[route.operationId];
  for (const { path, kind } of bodyOf(route) ? idPositions(bodyOf(route)!) : []) {
    if (!make) continue;
    const right = make(mine, path[0] ?? '', path[1] ?? '');
    const body = replaceAt(right, path, idOf(theirs, kind));
    probes.push(
      probe(route, `own body ${path.join('/')}`, fillPath(route, mine), query, right),
      probe(route, `foreign body ${path.join('/')}`, fillPath(route, mine), query, body),
    );
  }
  return probes;
}

function probe(
  route: Route,
  how: string,
  path: string,
  query: Record<string, string>,
  body: unknown,
): Probe {
  const search = new URLSearchParams(query).toString();
  return {
    name: `${route.operationId}: ${how}`,
    method: route.method,
    path: search ? `${path}?${search}` : path,
    body,
  };
}

function bodyOf(route: Route): TSchema | undefined {
  return route.kind === 'json' ? route.body : undefined;
}

/** A body that the route accepts, with identifiers of the project; undefined if it has no body. */
function ownBody(route: Route, mine: Fixtures): unknown {
  if (route.method === 'GET' || route.method === 'DELETE') return undefined;
  const make = validBodies[route.operationId];
  if (make) return make(mine, '', '');
  const schema = bodyOf(route);
  if (!schema) return undefined;
  const [made] = fc.sample(rightData(schema as Shape), { numRuns: 1, seed: 7 });
  let body: unknown = JSON.parse(JSON.stringify(made));
  for (const { path, kind } of idPositions(schema)) {
    if (hasAt(body, path)) body = replaceAt(body, path, idOf(mine, kind));
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
function queryValues(name: string, schema: TSchema, mine: Fixtures): string[] {
  const { type, items, enum: allowed, format } = schema as Shape;
  if (name === 'q' || name === 'tag') return ['fixture'];
  const [kind] = idKindsOf(schema);
  if (kind) return [idOf(mine, kind)];
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
