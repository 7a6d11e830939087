import { createConfig, lintFromString } from '@redocly/openapi-core';
import { eventTypeNames } from '@scriptorium/contracts/events';
import { problemCodes } from '@scriptorium/contracts/problems';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { routes } from '../../src/api/routes/index.ts';
import { startApi, type TestApi } from '../support/api.ts';

interface Media {
  schema?: object;
  example?: object;
  examples?: Record<string, object>;
}

interface Operation {
  operationId: string;
  'x-required-scopes': string[];
  security: object[];
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  'x-codeSamples'?: { source: string }[];
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, Media> }>;
}

describe('the OpenAPI document', () => {
  let api: TestApi;
  let document: {
    openapi: string;
    security: object[];
    paths: Record<string, Record<string, Operation>>;
    webhooks: Record<string, { post: Operation }>;
    components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
  };
  before(async () => {
    api = await startApi();
    document = (await api.call('GET', '/v1/openapi.json')).json;
  });
  after(() => api.close());

  it('has every route, with its scopes, and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(() => path.startsWith('/v1/'))
        .map(
          ([method, operation]) =>
            `${method.toUpperCase()} ${path} ${operation.operationId} ${operation['x-required-scopes']}`,
        ),
    );
    const declared = routes.map(
      (route) => `${route.method} ${route.path} ${route.operationId} ${route.scopes}`,
    );
    expect(described).to.have.members(declared);
    const open = Object.keys(document.paths).filter((path) => !path.startsWith('/v1/'));
    expect(open.filter((path) => !path.startsWith('/l/{token}'))).to.deep.equal(['/s/{token}']);
    for (const path of open) {
      for (const operation of Object.values(document.paths[path]!)) {
        expect(operation, path).to.deep.include({ security: [] });
      }
    }
    expect(document.openapi).to.equal('3.1.0');
    expect(Object.keys(document.components.securitySchemes)).to.deep.equal(['apiKey', 'project']);
  });

  it('has only valid references', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((found) => found[1]!);
    expect(references.length).to.be.greaterThan(10);
    for (const reference of references) {
      const target = reference
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect(target, reference).to.be.an('object');
    }
  });

  it('passes the strictest rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const source = JSON.stringify(document, null, 1);
    const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    const told = found.map(
      ({ ruleId, severity, message, location }) =>
        `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
    );
    expect(told).to.deep.equal([]);
  });

  it('has every event type as a webhook, and every problem code', () => {
    expect(Object.keys(document.webhooks)).to.have.members(eventTypeNames);
    const { oneOf } = document.components.schemas.ProblemCode as { oneOf: { const: string }[] };
    expect(oneOf.map((code) => code.const)).to.have.members(Object.keys(problemCodes));
  });

  it('documents If-Match and 412 for every versioned change', () => {
    const documented = (path: string, method: string) => {
      const { parameters, responses } = document.paths[path]![method]!;
      const takes = parameters.some(({ $ref }) => /\/IfMatch(Required)?$/.test($ref ?? ''));
      const refuses = '412' in responses;
      return takes === refuses ? takes : `If-Match ${takes}, 412 ${refuses}`;
    };
    for (const [path, method, expected] of [
      ['/v1/collections/{id}', 'delete', true],
      ['/v1/collections/{id}/members', 'post', true],
      ['/v1/collections/{id}/members/{type}/{rid}', 'patch', true],
      ['/v1/collections/{id}/members/{type}/{rid}', 'delete', true],
      ['/v1/objects/{id}', 'delete', true],
      ['/v1/webhooks/{id}', 'delete', true],
      ['/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', 'post', false],
      ['/v1/collections', 'post', false],
    ] as const) {
      expect(documented(path, method), `${method} ${path}`).to.equal(expected);
    }
    // Every change of a resource that a GET of the same path returns with an ETag.
    let held = 0;
    for (const route of routes) {
      const shown = document.paths[route.path]?.get?.responses['200']?.headers;
      if (route.method === 'GET' || route.kind !== 'json' || !shown?.ETag) continue;
      expect(documented(route.path, route.method.toLowerCase()), route.operationId).to.equal(true);
      held += 1;
    }
    expect(held).to.be.greaterThan(10);
  });

  it('documents If-Match and 412 for a list within a versioned resource, which honours it', async () => {
    const made = await api.call('POST', '/v1/collections', { body: { name: 'Harbour' } });
    const path = `/v1/collections/${made.json.id}/members`;
    const answer = await api.call('GET', path, { headers: { 'if-match': '"7"' } });
    expect(answer.status).to.equal(412);
    expect(document.paths['/v1/collections/{id}/members']!.get!.responses).to.have.property('412');
  });

  it('documents that any operation returns invalid_parameter for a malformed query', async () => {
    const answer = await api.call('GET', '/v1/capabilities?q=%zz');
    expect([answer.status, answer.json.code]).to.deep.equal([400, 'invalid_parameter']);
    for (const methods of Object.values(document.paths)) {
      for (const operation of Object.values(methods)) {
        if (operation.security.length === 0) continue;
        const problems = JSON.stringify(operation.responses['400']);
        expect(problems, operation.operationId).to.include('"invalid_parameter"');
      }
    }
  });

  it('documents the code for unknown fields of an uploaded form', async () => {
    const body = new FormData();
    body.set('surprise', 'x');
    body.set('file', new Blob(['a']), 'a.txt');
    const answer = await fetch(`${api.url}/v1/objects`, {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${api.key}`, 'X-Service-Project-ID': api.projectId },
    });
    expect(((await answer.json()) as { code: string }).code).to.equal('unknown_field');
    const problems = JSON.stringify(document.paths['/v1/objects']!.post!.responses['422']);
    expect(problems).to.include('"unknown_field"');
  });

  it('documents 304 for what has an ETag without showing a version', () => {
    const tagged = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).filter(({ responses }) => '304' in responses),
    );
    expect(tagged.map(({ operationId }) => operationId)).to.include.members([
      'getEvent',
      'getObjectContent',
      'getPageImage',
      'getRendition',
    ]);
  });

  it('documents bytes of any type for the content of an object', () => {
    const { responses } = document.paths['/v1/objects/{id}/content']!.get!;
    expect(responses['200']!.content).to.have.property('*/*');
    expect(responses['206']!.content).to.have.property('*/*');
  });

  it('distinguishes comma-separated lists from repeated parameters', () => {
    const { parameters } = document.paths['/v1/images']!.get!;
    const include = parameters.find(({ name }) => name === 'include');
    const tag = parameters.find(({ name }) => name === 'tag');
    expect(include).to.deep.include({ explode: false, example: ['total', 'facets'] });
    expect(tag).to.not.have.property('explode');
  });

  it('has an example request with its response for every operation', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId, requestBody, responses } = operation;
        expect(operation['x-codeSamples'], operationId).to.have.length(3);
        for (const { examples } of Object.values(requestBody?.content ?? {}).slice(0, 1)) {
          const isOptional = requestBody!.required === false || method === 'post';
          if (!isOptional) expect(examples, `${method} ${path}`).to.be.an('object');
        }
        const [, answer] = Object.entries(responses).find(([status]) => status < '300')!;
        const media = Object.values(answer.content ?? {});
        const isShown = media.length === 0 || media.some(({ examples }) => examples);
        expect(isShown, `${method} ${path}`).to.equal(true);
      }
    }
  });

  it('shows a real problem of each family, and remedies for policy denials', () => {
    const text = JSON.stringify(document);
    for (const code of [
      'authentication_required',
      'insufficient_scope',
      'not_found',
      'state_conflict',
      'etag_mismatch',
      'validation_failed',
      'rate_limited',
    ]) {
      expect(text, code).to.include(`"code":"${code}","request_id":"req_`);
    }
    const rejected = document.paths['/v1/objects/{id}/content']!.get!.responses['403']!;
    expect(JSON.stringify(rejected)).to.include('"remedy":{"method":"POST"');
  });

  it('lists the required scopes of each operation, also as security scopes', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      // Others need no key.
      if (!path.startsWith('/v1/')) continue;
      for (const operation of Object.values(methods)) {
        expect(operation.security).to.deep.equal([
          { apiKey: operation['x-required-scopes'], project: [] },
        ]);
      }
    }
  });

  it('holds schemas that a JSON Schema 2020-12 validator accepts', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ $id: 'doc', components: document.components });
    const resolvable = (schema: object): object =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components'));
    const schemas = new Map<string, object>();
    for (const methods of Object.values(document.paths)) {
      for (const operation of Object.values(methods)) {
        const bodies = Object.values(operation.requestBody?.content ?? {});
        const answers = Object.values(operation.responses).flatMap((answer) =>
          Object.values(answer.content ?? {}),
        );
        for (const { schema } of [...bodies, ...answers]) {
          if (!schema) continue;
          schemas.set(JSON.stringify(schema), schema);
        }
      }
    }
    expect(schemas.size).to.be.greaterThan(routes.length);
    for (const schema of schemas.values()) ajv.compile(resolvable(schema));
  });

  /** The schemas in a part of the document, with those that it refers to. */
  const schemasIn = (part: unknown, seen = new Set<unknown>()): Record<string, unknown>[] => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return [];
    seen.add(part);
    const { $ref } = part as { $ref?: string };
    const target = $ref?.startsWith('#/components/schemas/')
      ? document.components.schemas[$ref.slice('#/components/schemas/'.length)]
      : undefined;
    return [
      part as Record<string, unknown>,
      // Examples may hold schemas, which are none of the document.
      ...[...Object.entries(part), ['', target] as const]
        .filter(([name]) => name !== 'examples' && name !== 'example')
        .flatMap(([, one]) => schemasIn(one, seen)),
    ];
  };
  const operations = () => Object.values(document.paths).flatMap((paths) => Object.values(paths));

  it('leaves responses open, and closes requests', () => {
    const answers = operations().flatMap(({ responses }) => schemasIn(responses));
    const messages = Object.values(document.webhooks).flatMap(({ post }) => schemasIn(post));
    for (const schema of [...answers, ...messages]) {
      expect(schema.additionalProperties, JSON.stringify(schema).slice(0, 200)).not.to.equal(false);
    }
    const sent = schemasIn(document.paths['/v1/collections']!.post!.requestBody);
    expect(sent.some(({ additionalProperties }) => additionalProperties === false)).to.equal(true);
  });

  it('requires no field of a request that has a default', () => {
    const bodies = operations().flatMap(({ requestBody }) => schemasIn(requestBody));
    expect(bodies.length).to.be.greaterThan(100);
    for (const { properties } of bodies) {
      if (typeof properties !== 'object' || properties === null) continue;
      for (const [name, field] of Object.entries(properties)) {
        expect(field, name).not.to.have.property('default');
      }
    }
    const { NewCollection } = document.components.schemas as {
      NewCollection: { required: string[]; properties: { kind: { description: string } } };
    };
    expect(NewCollection.required).to.deep.equal(['name']);
    expect(NewCollection.properties.kind.description).to.include('Default: `"manual"`.');
  });

  it('has a schema for texts, and documents what precedes every operation', () => {
    const { content } = document.paths['/v1/events']!.get!.responses['200']!;
    for (const type of ['application/x-ndjson', 'text/csv']) {
      expect(content![type]!.schema, type).to.deep.include({ type: 'string' });
    }
    for (const { operationId, security, responses } of operations()) {
      if (security.length === 0) continue;
      expect(responses, operationId).to.include.keys('414', '431');
    }
  });

  it('has examples that their schemas allow', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addFormat('binary', true);
    ajv.addSchema({ $id: 'doc', components: document.components });
    let checked = 0;
    const messages = Object.values(document.webhooks).map(({ post }) => post);
    for (const { operationId, requestBody, responses } of [...operations(), ...messages]) {
      const media = [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.entries(part?.content ?? {}),
      );
      for (const [type, { schema, example, examples = { only: { value: example } } }] of media) {
        if (!schema || !type.includes('json')) continue;
        const check = ajv.compile(
          JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')),
        );
        for (const example of Object.values(examples) as { $ref?: string; value?: unknown }[]) {
          if (example.value === undefined) continue;
          check(example.value);
          expect(ajv.errorsText(check.errors?.slice(0, 3)), `${operationId} ${type}`).to.equal(
            'No errors',
          );
          checked += 1;
        }
      }
    }
    expect(checked).to.be.greaterThan(200);
  });

  it('declares each parameter of each path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
      for (const operation of Object.values(methods)) {
        const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
        expect(declared.map((parameter) => parameter.name)).to.deep.equal(names);
      }
    }
  });
});
