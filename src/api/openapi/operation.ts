import { STATUS_CODES } from 'node:http';
import { idPattern } from '@scriptorium/contracts/ids';
import type { Route } from '../frame/route.ts';
import {
  acceptsIdempotencyKey,
  isIdKind,
  paramNames,
  paramRule,
  rateOf,
} from '../frame/route-properties.ts';
import type { Json } from './json.ts';
import { describeProblems, problemsOf } from './problems/problems.ts';
import { propertiesOf, type Schemas } from './schemas.ts';

/** Describes a route as an OpenAPI operation; `routes` is the list of all routes. */
export function describeOperation(route: Route, routes: readonly Route[], schemas: Schemas): Json {
  const isIdempotent = acceptsIdempotencyKey(route);
  const hasVersion = showsVersion(route);
  const acceptsIfMatch = honoursIfMatch(route, routes);
  const requiresIfMatch = route.kind === 'json' && route.precondition === 'required';
  const allowsNotModified =
    route.method === 'GET' && (hasVersion || route.hasEtag) && !route.volatile;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: [{ apiKey: [...route.scopes], project: [] }],
    'x-required-scopes': route.scopes,
    'x-rate': rateOf(route),
    parameters: [
      ...paramNames(route.path).map((name) => describePathParam(route, name, schemas)),
      ...describeQuery(route, schemas),
      ...(route.headers ?? []).map((header) => ({ ...header, in: 'header' })),
      ...(isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(requiresIfMatch ? [{ $ref: '#/components/parameters/IfMatchRequired' }] : []),
      ...(!requiresIfMatch && acceptsIfMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(allowsNotModified ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ],
    ...describeBody(route, schemas),
    responses: {
      ...describeResponses(route, schemas),
      ...(allowsNotModified
        ? { 304: { description: 'Not modified: the client has the current version.' } }
        : {}),
      ...describeProblems(
        problemsOf(route, {
          idempotent: isIdempotent,
          acceptsIfMatch,
          required: requiresIfMatch,
        }),
      ),
    },
  };
}

function showsVersion(route: Route): boolean {
  return Object.values(route.responses).some(
    (schema) => schema !== null && 'version' in propertiesOf(schema),
  );
}

/**
 * Whether the route honours If-Match: if its response contains the version of the loaded resource,
 * or if that of the nearest GET up the path does.
 */
function honoursIfMatch(route: Route, routes: readonly Route[]): boolean {
  if (route.kind !== 'json' || route.load === undefined) return false;
  if (showsVersion(route)) return true;
  for (let end = route.path.length; end > 0; end = route.path.lastIndexOf('}', end - 2) + 1) {
    const path = route.path.slice(0, end);
    if (!path.endsWith('}')) continue;
    const getRoute = routes.find((one) => one.method === 'GET' && one.path === path);
    if (getRoute) return showsVersion(getRoute);
  }
  return false;
}

function describePathParam(route: Route, name: string, schemas: Schemas): Json {
  const rule = paramRule(route, name);
  if (rule === undefined)
    throw new Error(`${route.operationId} does not declare the path parameter {${name}}.`);
  const schema = isIdKind(rule) ? { type: 'string', pattern: idPattern(rule) } : schemas.use(rule);
  return { name, in: 'path', required: true, schema };
}

function describeQuery(route: Route, schemas: Schemas): Json[] {
  if (!route.query) return [];
  const required = (route.query as { required?: string[] }).required ?? [];
  return Object.entries(propertiesOf(route.query)).map(([name, property]) => {
    const { explode } = property as { explode?: boolean };
    const { description, ...schema } = schemas.use(property) as Json;
    return {
      name,
      in: 'query',
      // Parameters with a default are optional.
      ...(required.includes(name) && !('default' in schema) ? { required: true } : {}),
      ...(description ? { description } : {}),
      ...(explode === false ? { style: 'form', explode: false } : {}),
      schema,
    };
  });
}

function describeBody(route: Route, schemas: Schemas): Json {
  if (route.kind === 'stream') {
    if (!route.consumes) return {};
    const content = Object.fromEntries(
      route.consumes.map((type) => [
        type,
        { schema: type.startsWith('multipart/') ? { type: 'object' } : {} },
      ]),
    );
    return { requestBody: { required: !route.bodyOptional, content } };
  }
  if (!route.body) return {};
  const schema = schemas.use(route.body, 'input');
  const types =
    route.method === 'PATCH'
      ? ['application/merge-patch+json', 'application/json']
      : ['application/json'];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { requestBody: { required: true, content } };
}

/** A response other than JSON: text, or bytes of any kind. */
function describeText(type: string): Json {
  const lines: Record<string, string> = {
    'application/x-ndjson': 'A JSON document per line.',
    'text/csv': 'A table with a header line.',
    'text/event-stream': 'Server-sent events.',
  };
  const isText = type.startsWith('text/') || type in lines;
  return isText ? { schema: { type: 'string', description: lines[type] ?? 'A text.' } } : {};
}

function describeResponses(route: Route, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => {
      const properties = schema ? propertiesOf(schema) : {};
      const types = new Set([
        ...(schema ? ['application/json'] : []),
        ...(route.produces ?? ['application/json']),
        // Bytes of any type.
        ...(route.method === 'GET' && route.produces?.length === 0 ? ['*/*'] : []),
      ]);
      return [
        status,
        {
          description: STATUS_CODES[Number(status)] ?? 'Response',
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/RequestId' },
            'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
            RateLimit: { $ref: '#/components/headers/RateLimit' },
            ...('version' in properties ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
            // A response without an identifier has no URL.
            ...(status === '201' && (!schema || 'id' in properties)
              ? { Location: { $ref: '#/components/headers/Location' } }
              : {}),
            ...('next_cursor' in properties ? { Link: { $ref: '#/components/headers/Link' } } : {}),
          },
          ...(status === '204'
            ? {}
            : {
                content: Object.fromEntries(
                  [...types].map((type) => [
                    type,
                    schema && type === 'application/json'
                      ? { schema: schemas.use(schema) }
                      : describeText(type),
                  ]),
                ),
              }),
        },
      ];
    }),
  );
}
