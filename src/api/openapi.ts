import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { idPattern } from '../contracts/ids.ts';
import { limits } from '../contracts/limits.ts';
import { type ProblemCode, problemCodes } from '../contracts/problems.ts';
import { problemSchema } from '../contracts/wire/shapes.ts';
import {
  isIdKind,
  paramNames,
  paramRule,
  type Route,
  rateOf,
  takesIdempotencyKey,
} from './frame/route.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes, from the schemas that validate them. */
export function describeApi(
  routes: readonly Route[],
  version: string,
  /** Described by hand: what is not of the frame. */
  others: Record<string, Json> = {},
): Json {
  const schemas = new Schemas();
  const paths: Record<string, Json> = { ...others };
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route, schemas),
    };
  }
  schemas.use(problemSchema);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version,
      description:
        'A digital asset library, document jobs and a transactional outbox of events. Every request is made within a project: it carries an API key and the project it belongs to.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [], project: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk_…`.' },
        project: { type: 'apiKey', in: 'header', name: 'X-Service-Project-ID' },
      },
      schemas: schemas.components,
      parameters,
      headers,
    },
  };
}

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: `Makes the request safe to repeat: for ${limits.idempotency_hours} hours the same key answers with the first answer, marked \`Idempotent-Replayed: true\`.`,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The ETag of the resource as it was read; 412 when it has changed since.',
  },
  IfMatchRequired: {
    name: 'If-Match',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description: 'The ETag of the resource as it was read; 428 without, 412 when it has changed.',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The ETag of what the client has; 304 when it is still so.',
  },
};

const headers = {
  RequestId: {
    description: "The client's own X-Request-Id, or one made here.",
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: 'What the key may do a minute.', schema: { type: 'string' } },
  RateLimit: { description: 'What is left of it, and for how long.', schema: { type: 'string' } },
  ETag: { description: 'The version of the resource.', schema: { type: 'string' } },
  Location: { description: 'Where the resource is.', schema: { type: 'string' } },
  Link: { description: 'The next page, `rel="next"`.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

const always: ProblemCode[] = [
  'malformed_request',
  'unknown_parameter',
  'project_header_required',
  'authentication_required',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'project_forbidden',
  'ip_not_allowed',
  'not_acceptable',
  'rate_limited',
  'internal_error',
  'dependency_unavailable',
];

function describeOperation(route: Route, schemas: Schemas): Json {
  const idempotent = takesIdempotencyKey(route);
  const versioned = Object.values(route.responses).some(
    (schema) => schema !== null && 'version' in propertiesOf(schema),
  );
  const matches = route.kind === 'json' && route.load !== undefined && versioned;
  const required = route.kind === 'json' && route.precondition === 'required';
  const mayBeKnown = route.method === 'GET' && versioned && !route.volatile;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    'x-required-scopes': route.scopes,
    'x-rate': rateOf(route),
    parameters: [
      ...paramNames(route.path).map((name) => describePathParam(route, name, schemas)),
      ...describeQuery(route, schemas),
      ...(route.headers ?? []).map((header) => ({ ...header, in: 'header' })),
      ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(required ? [{ $ref: '#/components/parameters/IfMatchRequired' }] : []),
      ...(!required && matches ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(mayBeKnown ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ],
    ...describeBody(route, schemas),
    responses: {
      ...describeAnswers(route, schemas),
      ...(mayBeKnown ? { 304: { description: 'The client has this version already.' } } : {}),
      ...describeProblems(problemsOf(route, { idempotent, matches, required })),
    },
  };
}

function describePathParam(route: Route, name: string, schemas: Schemas): Json {
  const rule = paramRule(route, name);
  if (rule === undefined) throw new Error(`${route.operationId} does not say what {${name}} is.`);
  const schema = isIdKind(rule) ? { type: 'string', pattern: idPattern(rule) } : schemas.use(rule);
  return { name, in: 'path', required: true, schema };
}

function describeQuery(route: Route, schemas: Schemas): Json[] {
  if (!route.query) return [];
  const required = (route.query as { required?: string[] }).required ?? [];
  return Object.entries(propertiesOf(route.query)).map(([name, property]) => {
    const { description, explode, ...schema } = schemas.use(property) as Json;
    return {
      name,
      in: 'query',
      // What has a default is filled in.
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

function describeAnswers(route: Route, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => {
      const properties = schema ? propertiesOf(schema) : {};
      const types = new Set([
        ...(schema ? ['application/json'] : []),
        ...(route.produces ?? ['application/json']),
      ]);
      return [
        status,
        {
          description: STATUS_CODES[Number(status)] ?? 'Answer',
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/RequestId' },
            'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
            RateLimit: { $ref: '#/components/headers/RateLimit' },
            ...('version' in properties ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
            // What has no identifier has no address of its own.
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
                    schema && type === 'application/json' ? { schema: schemas.use(schema) } : {},
                  ]),
                ),
              }),
        },
      ];
    }),
  );
}

/** Every code that an operation may answer with. */
function problemsOf(
  route: Route,
  has: { idempotent: boolean; matches: boolean; required: boolean },
): ProblemCode[] {
  const codes = new Set<ProblemCode>([...always, ...(route.problems ?? [])]);
  const add = (when: boolean, ...more: ProblemCode[]): void => {
    if (when) for (const code of more) codes.add(code);
  };
  const query = route.query ? propertiesOf(route.query) : {};
  const hasBody = route.kind === 'json' && route.method !== 'GET' && route.method !== 'DELETE';
  add(route.scopes.length > 0, 'insufficient_scope');
  add(Object.keys(query).length > 0, 'invalid_parameter');
  add('cursor' in query, 'cursor_invalid', 'cursor_mismatch');
  add(paramNames(route.path).length > 0, 'not_found');
  add(hasBody, 'malformed_json', 'payload_too_large', 'unsupported_media_type');
  add(hasBody, 'request_timeout', 'validation_failed');
  add(has.idempotent, 'idempotency_in_progress', 'idempotency_key_reused');
  add(has.matches || has.required, 'etag_mismatch');
  add(has.required, 'precondition_required');
  return [...codes];
}

function describeProblems(codes: ProblemCode[]): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    byStatus.set(problemCodes[code], [...(byStatus.get(problemCodes[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, these]) => [
      status,
      {
        description: `${STATUS_CODES[status] ?? 'Refused'}: ${these.map((code) => `\`${code}\``).join(', ')}.`,
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...(status === 429 || status === 503
            ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
            : {}),
        },
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { code: { enum: these } } },
              ],
            },
          },
        },
      },
    ]),
  );
}

function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return (schema as { properties?: Record<string, TSchema> }).properties ?? {};
}

/** Collects the schemas that have a title, and puts references in their place. */
class Schemas {
  readonly components: Record<string, unknown> = {};

  use(schema: TSchema, direction: 'input' | 'output' = 'output'): unknown {
    return this.#walk(JSON.parse(JSON.stringify(schema)), direction);
  }

  #walk(value: unknown, direction: 'input' | 'output'): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#walk(item, direction));
    if (typeof value !== 'object' || value === null) return value;
    const walked: Json = Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#walk(item, direction)]),
    );
    if (direction === 'input' && Array.isArray(walked.required)) {
      // What has a default is filled in, so nobody has to send it.
      const properties = (value as { properties?: Record<string, object> }).properties ?? {};
      walked.required = walked.required.filter((name) => !('default' in (properties[name] ?? {})));
    }
    const { title } = walked;
    if (typeof title !== 'string' || typeof walked.type !== 'string') return walked;
    const known = this.components[title];
    if (known && JSON.stringify(known) !== JSON.stringify(walked)) {
      throw new Error(`Two different schemas have the title '${title}'.`);
    }
    this.components[title] = walked;
    return { $ref: `#/components/schemas/${title}` };
  }
}
