import { compile } from '@scriptorium/contracts/helpers/validator';
import type { Fault } from '@scriptorium/contracts/problems';
import { problemSchema } from '@scriptorium/contracts/wire/shapes';
import { expect } from 'chai';
import type { TSchema } from 'typebox';
import type { Route } from '../../../src/api/frame/route.ts';
import {
  isIdKind,
  mayHaveBody,
  paramNames,
  paramRule,
} from '../../../src/api/frame/route-properties.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { checksum } from '../../support/checksum.ts';
import { type Fixtures, fillPath, makeFixtures, requiredQuery } from '../../support/fixtures.ts';

interface Case {
  name: string;
  method: string;
  path: string;
  options: CallOptions;
  status: number;
  code: string;
  /** A fault that must be among those reported. */
  fault?: string;
  /** The part of the request that is wrong. */
  part: string;
}

type Given = Omit<Case, 'method' | 'path' | 'options'> & {
  path?: string;
  method?: string;
  options?: CallOptions;
};

interface Property {
  type?: string;
  format?: string;
  enum?: string[];
  items?: { enum?: string[] };
  minimum?: number;
  anyOf?: Property[];
}

/** By default, few enough for every run: `BAD_REQUESTS=all` sends every case to every route. */
const sendsAll = process.env.BAD_REQUESTS === 'all';
const turns = new Map<string, number>();

/** Of the cases with the same wrong part and outcome, one in turn. */
function inTurn(cases: readonly Given[]): readonly Given[] {
  if (sendsAll) return cases;
  const groups = new Map<string, Given[]>();
  for (const given of cases) {
    const key = [given.part, given.status, given.code, given.fault].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), given]);
  }
  return [...groups].map(([key, group]) => {
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return group[turn % group.length]!;
  });
}

const isProblem = compile(problemSchema);
/** What would reveal the implementation: stacks, SQL, paths. */
const innards =
  /node_modules|\.ts\b|\.js\b|\bat \w+ \(|SELECT |INSERT |UPDATE |relation |constraint|\/src\/|postgres/i;

const ownCodes = ['unknown_field', 'id_prefix_mismatch'];

/** The detail of a fault must name the field itself. */
function nameIn({ pointer, parameter, header }: Fault): string {
  const name = parameter ?? pointer?.split('/').at(-1) ?? header ?? '';
  return /^[\x20-\x7e]*$/.test(name) ? name : '';
}

function placeOf({ pointer, parameter, header, code, detail }: Fault): string {
  // The values of one parameter; each may be invalid.
  return [pointer, parameter, header, parameter && `${code} ${detail}`].join(' ');
}

function expectProblem(answer: ApiResponse, wanted: Pick<Case, 'status' | 'code' | 'fault'>): void {
  const { status, code, fault } = wanted;
  const excerpt = answer.text.slice(0, 300);
  expect(answer.headers.get('content-type'), excerpt).to.equal('application/problem+json');
  const body: unknown = answer.json;
  expect(isProblem(body), excerpt).to.equal(true);
  const told: Fault[] = answer.json.errors ?? [];
  // If all faults are of one of these kinds, the problem has their code as well.
  const own = ownCodes.find((one) => told.length > 0 && told.every((each) => each.code === one));
  const top = code === 'validation_failed' ? (own ?? code) : code;
  expect([answer.status, answer.json.code], excerpt).to.deep.equal([status, top]);
  for (const one of told) expect(one.detail, excerpt).to.include(nameIn(one));
  expect(new Set(told.map(placeOf)).size, excerpt).to.equal(told.length);
  expect(answer.json.status).to.equal(answer.status);
  expect(answer.text).not.to.match(innards);
  if (fault) {
    expect(
      told.map((one) => one.code),
      excerpt,
    ).to.include(fault);
  }
}

function bodyOf(route: Route): TSchema | undefined {
  return route.kind === 'json' ? route.body : undefined;
}

function takesBody(route: Route): boolean {
  return route.kind === 'json' && mayHaveBody(route);
}

/** Faults that apply to every route. */
function accessCases(route: Route): Given[] {
  const cases: Given[] = [
    ['no credential', 401, 'authentication_required', { authorization: undefined }],
    ['another scheme', 401, 'authentication_required', { authorization: 'Basic YTpi' }],
    ['two spaces', 401, 'authentication_required', { authorization: 'Bearer  sk_x' }],
    ['no key at all', 401, 'authentication_required', { authorization: 'Bearer' }],
    ['not a key', 401, 'api_key_invalid', { authorization: 'Bearer hunter2' }],
    [
      'a key with a wrong checksum',
      401,
      'api_key_invalid',
      { authorization: `Bearer sk_aaaaaaaa_${'a'.repeat(38)}` },
    ],
    ['no project', 400, 'project_header_required', { 'x-service-project-id': undefined }],
    ['an empty project', 400, 'project_header_required', { 'x-service-project-id': '' }],
    ['something else as project', 400, 'project_header_required', { 'x-service-project-id': 'a' }],
    [
      'two projects in one header',
      400,
      'project_header_required',
      {
        'x-service-project-id': 'prj_00000000000000000000000000, prj_00000000000000000000000000',
      },
    ],
    [
      'a project that is not there',
      403,
      'project_forbidden',
      { 'x-service-project-id': 'prj_00000000000000000000000000' },
    ],
  ].map(([name, status, code, headers]) => ({
    name: String(name),
    part: 'access',
    status: Number(status),
    code: String(code),
    options: { headers: headers as Record<string, string | undefined> },
  }));
  cases.push({
    name: 'an unknown method',
    part: 'method',
    method: 'PROPFIND',
    status: 405,
    code: 'method_not_allowed',
  });
  if (!route.produces) {
    cases.push({
      name: 'an Accept it cannot meet',
      part: 'Accept',
      status: 406,
      code: 'not_acceptable',
      options: { headers: { accept: 'image/png' } },
    });
  }
  return cases;
}

function pathCases(route: Route, fixtures: Fixtures): Given[] {
  const wrong = [
    'obj_',
    'KEY_00000000000000000000000000',
    'evt_00000000000000000000000000x',
    '00000000-0000-0000-0000-000000000000',
    'null',
    '%00',
    '..%2f..%2fetc%2fpasswd',
    '%252e%252e',
    "' OR 1=1 --".replaceAll(' ', '%20'),
    'x'.repeat(3000),
    '%E2%80%AEdi',
  ];
  return paramNames(route.path).flatMap((name) => {
    const rule = paramRule(route, name);
    if (!rule || !isIdKind(rule)) return [];
    return [
      ...wrong.map((value) => ({
        name: `${name} is ${value.slice(0, 40)}`,
        part: name,
        path: fillPath(route, fixtures, { [name]: value }),
        status: 404,
        code: 'not_found',
      })),
      {
        name: `${name} has a broken escape`,
        part: name,
        path: fillPath(route, fixtures, { [name]: '%zz' }),
        status: 400,
        code: 'malformed_request',
      },
    ];
  });
}

function queryCases(route: Route, path: string, fixtures: Fixtures): Given[] {
  // All other required parts are present; their absence would be a fault too.
  const needed = Object.entries(requiredQuery(route, fixtures));
  const searchOf = (search: string): string => {
    const others = needed.filter(([name]) => !search.startsWith(`${name}=`));
    return [...others.map(([name, value]) => `${name}=${value}`), search].join('&');
  };
  const bad = (
    name: string,
    search: string,
    code: string,
    fault?: string,
    part = 'query',
  ): Given => ({
    name: `query: ${name}`,
    part,
    path: `${path}?${searchOf(search)}`,
    status: 400,
    code,
    ...(fault ? { fault } : {}),
  });
  const cases = [
    bad('an unknown parameter', 'surprise=1', 'unknown_parameter'),
    bad('brackets', 'a[b]=c', 'unknown_parameter'),
    bad('a thousand parameters', `${'x=1&'.repeat(1000)}`, 'unknown_parameter'),
    bad('a broken escape', '%zz=1', 'invalid_parameter', 'malformed_parameter'),
    bad('invalid UTF-8', 'x=%ff%fe', 'invalid_parameter', 'malformed_parameter'),
    bad('a key in the query', 'api_key=sk_secret', 'unknown_parameter'),
  ];
  const properties = (route.query?.properties ?? {}) as Record<string, Property & TSchema>;
  for (const [name, schema] of Object.entries(properties)) {
    const because = (value: string, fault: string): Given =>
      bad(`${name}=${value.slice(0, 20)}`, `${name}=${value}`, 'invalid_parameter', fault, name);
    cases.push(because('%00', 'null_character'));
    if (schema.type !== 'array') {
      cases.push(
        bad(
          `${name} twice`,
          `${name}=1&${name}=2`,
          'invalid_parameter',
          'repeated_parameter',
          name,
        ),
      );
    }
    if (schema.type === 'integer') {
      for (const value of ['abc', '1.5', '', '0x10', 'NaN'])
        cases.push(because(value, 'wrong_type'));
      if (schema.minimum !== undefined) {
        cases.push(because(String(schema.minimum - 1), 'too_small'));
        cases.push(because('-999999999999', 'too_small'));
      }
    }
    if (schema.type === 'boolean') cases.push(because('maybe', 'wrong_type'));
    if (schema.enum) cases.push(because('nonsense', 'not_allowed'));
    const words = schema.items?.enum;
    if (words) {
      for (const value of [
        'nonsense',
        '',
        `${words[0]},nonsense`,
        `${words[0]}&${name}=nonsense`,
      ]) {
        cases.push(because(value, 'not_allowed'));
      }
    }
    if (schema.format === 'date-time') {
      for (const value of ['2026-02-30', 'yesterday', '2026-01-31T12:00:00', '20260131', '']) {
        cases.push(because(value, 'wrong_format'));
      }
    }
    if (name === 'cursor') {
      for (const value of ['garbage', 'YWJj.YWJj', `${'a'.repeat(60)}.${'b'.repeat(22)}`]) {
        cases.push(bad(`cursor=${value}`, `cursor=${value}`, 'cursor_invalid', undefined, name));
      }
    }
  }
  return cases;
}

const json = 'application/json';
const raw = (
  name: string,
  body: string | Uint8Array,
  status: number,
  code: string,
  fault?: string,
  headers: Record<string, string | undefined> = {},
): Given => ({
  name: `body: ${name}`,
  part: 'body',
  options: { body, headers: { 'content-type': json, ...headers } },
  status,
  code,
  ...(fault ? { fault } : {}),
});
const media = (name: string, headers: Record<string, string | undefined>) =>
  raw(name, '{}', 415, 'unsupported_media_type', undefined, headers);
const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

/** Bodies that no route accepts, made once: some are large. */
const badBodies: readonly Given[] = [
  raw('not JSON', 'hello', 400, 'malformed_json'),
  raw('truncated', '{"name":"x"', 400, 'malformed_json'),
  raw('single quotes', "{'name':'x'}", 400, 'malformed_json'),
  raw('NaN', '{"a":NaN}', 400, 'malformed_json'),
  raw('a byte order mark', '\ufeff{}', 400, 'malformed_json', 'byte_order_mark'),
  raw('UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), 400, 'malformed_json'),
  raw(
    'invalid UTF-8',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    400,
    'malformed_json',
    'invalid_utf8',
  ),
  raw('a field twice', '{"name":"a","n\\u0061me":"b"}', 400, 'malformed_json', 'duplicate_field'),
  raw('too deep', deep(40), 400, 'malformed_json', 'too_deep'),
  raw('absurdly deep', deep(200_000), 400, 'malformed_json', 'too_deep'),
  raw('null', 'null', 422, 'validation_failed', 'wrong_type'),
  raw('an array', '[]', 422, 'validation_failed', 'wrong_type'),
  raw('a string', '"x"', 422, 'validation_failed', 'wrong_type'),
  raw('a number', '1', 422, 'validation_failed', 'wrong_type'),
  raw('an unknown field', '{"surprise":1}', 422, 'validation_failed', 'unknown_field'),
  raw(
    'a read-only field',
    '{"id":"x","project_id":"y","version":7}',
    422,
    'validation_failed',
    'unknown_field',
  ),
  raw('__proto__', '{"__proto__":{"admin":true}}', 422, 'validation_failed', 'unknown_field'),
  raw('constructor', '{"constructor":{"prototype":{}}}', 422, 'validation_failed', 'unknown_field'),
  raw('a NUL in a string', '{"name":"a\\u0000b"}', 422, 'validation_failed', 'null_character'),
  raw('a NUL in a name', '{"na\\u0000me":"b"}', 422, 'validation_failed', 'null_character'),
  raw('half a surrogate pair', '{"name":"\\ud800"}', 422, 'validation_failed', 'lone_surrogate'),
  raw('1e400', '{"name":1e400}', 422, 'validation_failed', 'number_out_of_range'),
  raw('2^53 + 1', '{"name":9007199254740993}', 422, 'validation_failed', 'number_out_of_range'),
  raw(
    'too many values',
    `{"a":[${'1,'.repeat(60_000)}1]}`,
    422,
    'validation_failed',
    'too_many_values',
  ),
  raw(
    'ninety thousand fields',
    `{${Array.from({ length: 90_000 }, (_, at) => `"${at}":1`).join(',')}}`,
    422,
    'validation_failed',
    'too_many_values',
  ),
  raw(
    'forty thousand fields',
    `{${Array.from({ length: 40_000 }, (_, at) => `"${at}":1`).join(',')}}`,
    422,
    'validation_failed',
    'too_many_values',
  ),
  raw('over the limit', `{"name":"${'x'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large'),
  media('a form', { 'content-type': 'application/x-www-form-urlencoded' }),
  media('text', { 'content-type': 'text/plain' }),
  media('an unsupported JSON type', { 'content-type': 'application/vnd.api+json' }),
  media('another charset', { 'content-type': 'application/json; charset=utf-16' }),
  media('blanks without end', { 'content-type': `application/json${' '.repeat(12_000)}x` }),
  media('another parameter', { 'content-type': 'application/json; version=1' }),
  media('a type that is none', { 'content-type': 'json' }),
  media('gzip', { 'content-encoding': 'gzip' }),
];

function bodyCases(route: Route): Given[] {
  if (!takesBody(route)) return [];
  const cases = [...badBodies];
  if (route.method === 'PATCH' || hasRequired(route)) {
    cases.push(raw('nothing', '', 400, 'malformed_json', 'empty_body'));
  }
  const { properties = {} } = (bodyOf(route) ?? {}) as { properties?: Record<string, Property> };
  for (const [name, schema] of Object.entries(properties)) {
    const types = [schema.type, ...(schema.anyOf ?? []).map((variant) => variant.type)];
    const wrong = types.includes('object') ? 7 : { wrong: true };
    const values = types.includes('null') ? [wrong] : [wrong, null];
    for (const value of values) {
      const what = `${name} is ${JSON.stringify(value)}`;
      const body = JSON.stringify({ [name]: value });
      cases.push({ ...raw(what, body, 422, 'validation_failed'), part: what });
    }
  }
  return cases;
}

/** Whether the body has a required field without a default. */
function hasRequired(route: Route): boolean {
  const { required = [], properties = {} } = (bodyOf(route) ?? {}) as {
    required?: string[];
    properties?: Record<string, object>;
  };
  return required.some((name) => !('default' in (properties[name] ?? {})));
}

function headerCases(route: Route): Given[] {
  const cases: Given[] = [];
  if (route.method === 'POST' && route.idempotent !== false && route.kind === 'json') {
    for (const [name, value] of [
      ['too long', 'x'.repeat(256)],
      ['empty', ''],
      ['not ASCII', 'caf\u00e9'],
      ['very long', 'x'.repeat(8_000)],
    ] as const) {
      cases.push({
        name: `Idempotency-Key: ${name}`,
        part: 'Idempotency-Key',
        options: { body: {}, headers: { 'idempotency-key': value } },
        status: 400,
        code: 'malformed_request',
      });
    }
  }
  if (route.kind === 'json' && route.precondition) {
    for (const [name, value, status, code] of [
      ['missing', undefined, 428, 'precondition_required'],
      ['without quotes', 'abc', 400, 'malformed_request'],
      ['half quoted', '"abc', 400, 'malformed_request'],
      ['empty', '', 400, 'malformed_request'],
      ['of another version', '"999"', 412, 'etag_mismatch'],
      ['weak', 'W/"1"', 412, 'etag_mismatch'],
    ] as const) {
      const headers = { 'if-match': value };
      cases.push({
        name: `If-Match ${name}`,
        part: 'If-Match',
        options: { headers },
        status,
        code,
      });
    }
  }
  return cases;
}

describe('bad requests', () => {
  let api: TestApi;
  let key: string;
  let fixtures: Fixtures;
  let addresses = 0;
  const tried = new Set<string>();
  /** The checksum after the last route, and so before the next. */
  let state: string;
  before(async () => {
    // Each case has its own address, so that the limit of failed logins does not apply.
    api = await startApi({ settings: { trustProxy: true } });
    key = (await api.issue(['*'], { read: 1_000_000, write: 1_000_000 })).key;
    fixtures = await makeFixtures(api, api);
    state = await checksum(api);
  });
  after(() => api.close());

  const send = (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> => {
    addresses += 1;
    const address = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
    const headers = { 'x-forwarded-for': address, ...options.headers };
    return api.call(method, path, { key, ...options, headers });
  };

  for (const route of routes) {
    it(`to ${route.method} ${route.path} return the problem of each fault`, async () => {
      const path = fillPath(route, fixtures);
      const before = state;
      const cases = inTurn([
        ...accessCases(route),
        ...pathCases(route, fixtures),
        ...queryCases(route, path, fixtures),
        ...bodyCases(route),
        ...headerCases(route),
      ]);
      for (const given of cases) {
        const method = given.method ?? route.method;
        const options = {
          ...(takesBody(route) ? { body: {} } : {}),
          ...given.options,
          headers: {
            ...(route.kind === 'json' && route.precondition ? { 'if-match': '*' } : {}),
            ...given.options?.headers,
          },
        };
        const answer = await send(method, given.path ?? path, options);
        try {
          expectProblem(answer, given);
        } catch (error) {
          throw new Error(`${given.name}: ${error instanceof Error ? error.message : error}`);
        }
        tried.add(given.name);
      }
      state = await checksum(api);
      expect(state, 'nothing was changed').to.equal(before);
    });
  }

  it('include each way to spoil access and a body', () => {
    const names = [...accessCases(routes[0]!), ...badBodies].map(({ name }) => name);
    expect([...tried]).to.include.members(names);
    expect(tried.size).to.be.greaterThan(100);
  });

  it('are told only what helps', async () => {
    const coded = await send('POST', '/v1/collections', {
      body: '{}',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect(coded.json.errors).to.deep.equal([
      {
        header: 'Content-Encoding',
        code: 'unsupported_media_type',
        detail: 'Send the body without a Content-Encoding.',
      },
    ]);
    const bodies = ['{"sequence":9007199254740993}', '{"metadata":{"n":9007199254740993}}'];
    const commit = routes.find(({ operationId }) => operationId === 'commitConsumer')!;
    const paths = [fillPath(commit, fixtures), '/v1/collections'];
    const details: string[] = [];
    for (const [at, body] of bodies.entries()) {
      const { json } = await send('POST', paths[at]!, {
        body,
        headers: { 'content-type': 'application/json' },
      });
      details.push(json.errors[0].detail);
    }
    const range =
      'must be from -9007199254740991 to 9007199254740991, which JSON parsers represent exactly.';
    expect(details).to.deep.equal([
      `\`sequence\` ${range}`,
      `\`metadata.n\` ${range} Send it as a string.`,
    ]);
    const { json: late } = await send('GET', '/v1/events?occurred_after=2026-02-31');
    expect(late.detail).to.equal(
      '`occurred_after` is invalid: the date 2026-02-31 does not exist.',
    );
    const { json: strange } = await send('GET', '/v1/events?type=a.b,c');
    expect(strange.detail).to.equal(
      "Unknown event type 'a.b'. GET /v1/event-types lists all types. `errors` lists 1 more fault.",
    );
    expect(strange.errors[1].detail).to.equal(
      "Unknown event type 'c'. GET /v1/event-types lists all types.",
    );
  });

  it('include paths that almost match', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/keys/',
      '//v1/keys',
      '/v1//keys',
      '/V1/keys',
      '/v1/Keys',
      '/v1/keys;x=1',
      '/v1/%6beys/',
      '/v2/keys',
      '/v1/assets',
      '/v1/keys/../limits/..',
      '/.env',
      '/v1/keys%2fself',
    ]) {
      expectProblem(await send('GET', path), { status: 404, code: 'not_found' });
    }
    expectProblem(await send('GET', `/v1/keys?x=${'y'.repeat(9_000)}`), {
      status: 414,
      code: 'uri_too_long',
    });
    expectProblem(
      await send('POST', '/v1/limits', { headers: { 'x-http-method-override': 'GET' } }),
      {
        status: 405,
        code: 'method_not_allowed',
      },
    );
  });
});
