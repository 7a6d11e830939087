import type { RecordedExchange } from './examples.ts';
import type { Json } from './json.ts';
import { createSamples } from './samples.ts';
import { isObject } from './schemas.ts';

/**
 * Adds the recorded examples to the document: to parameters, bodies, headers and responses, and as
 * samples in several languages. A problem without an example in its operation refers to one with the
 * same code that was recorded elsewhere.
 */
export function addExamples(document: Json, examples: readonly RecordedExchange[]): Json {
  const problems = problemExamples(examples);
  const paths = objectAt(document, 'paths');
  const usedCodes = new Set<string>();
  for (const [path, methods] of Object.entries(paths)) {
    if (!isObject(methods)) continue;
    for (const [method, operation] of Object.entries(methods)) {
      if (!isObject(operation)) continue;
      const examplesOfOperation = examples.filter(
        (one) => one.operationId === operation.operationId,
      );
      addParameterExamples(operation, examplesOfOperation);
      addBodyExamples(operation, examplesOfOperation);
      addResponseExamples(operation, examplesOfOperation);
      for (const code of addProblemExamples(operation, problems)) usedCodes.add(code);
      const first = examplesOfOperation.find(({ response }) => response.status < 300);
      if (first) {
        operation['x-codeSamples'] = createSamples(method.toUpperCase(), path, first.request);
      }
    }
  }
  const components = objectAt(document, 'components');
  const shared = Object.fromEntries(
    Object.entries(problems).filter(([code]) => usedCodes.has(code)),
  );
  return { ...document, components: { ...components, examples: shared } };
}

/** The first recorded problem of each code. */
function problemExamples(examples: readonly RecordedExchange[]): Record<string, Json> {
  const problems: Record<string, Json> = {};
  for (const { operationId, summary, response } of examples) {
    const { body } = response;
    if (response.status < 400 || !isObject(body) || typeof body.code !== 'string') continue;
    problems[body.code] ??= { summary: `${summary} (${operationId})`, value: body };
  }
  return problems;
}

function addParameterExamples(operation: Json, recorded: readonly RecordedExchange[]): void {
  const accepted = recorded.filter(({ response }) => response.status < 400);
  for (const parameter of listAt(operation, 'parameters')) {
    const { name, schema } = parameter;
    if (typeof name !== 'string' || !isObject(schema)) continue;
    const values = accepted.map(({ request }) => {
      if (parameter.in === 'path') return request.params?.[name];
      if (parameter.in === 'query') return request.query?.[name];
      return request.headers?.[name.toLowerCase()];
    });
    const value = values.find((one) => one !== undefined);
    if (value !== undefined)
      parameter.example = parseParameter(value, schema, parameter.explode === false);
  }
}

/** The text of a parameter as a value of its schema. */
function parseParameter(value: string, schema: Json, isCommaList: boolean): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Number(value);
  if (schema.type === 'boolean') return value === 'true';
  if (schema.type === 'array') return isCommaList ? value.split(',') : [value];
  return value;
}

/** Adds the bodies of accepted requests. Rejected requests are shown with their problem. */
function addBodyExamples(operation: Json, recorded: readonly RecordedExchange[]): void {
  const content = objectAt(objectAt(operation, 'requestBody'), 'content');
  for (const { summary, request, response } of recorded) {
    if (request.body === undefined || response.status >= 400) continue;
    const types = request.type === 'application/json' ? Object.keys(content) : [request.type ?? ''];
    for (const type of types) {
      const media = content[type];
      if (!isObject(media)) throw new Error(`${operation.operationId} does not accept ${type}.`);
      examplesOf(media)[exampleNameOf(summary)] = { summary, value: request.body };
    }
  }
}

function addResponseExamples(operation: Json, recorded: readonly RecordedExchange[]): void {
  const responses = objectAt(operation, 'responses');
  for (const { summary, request, response } of recorded) {
    const responseObject = responses[String(response.status)];
    if (!isObject(responseObject)) {
      throw new Error(`${operation.operationId} does not declare the status ${response.status}.`);
    }
    addHeaderExamples(responseObject, response.headers ?? {});
    if (response.type === undefined) continue;
    const content = objectAt(responseObject, 'content');
    const media = isObject(content[response.type]) ? content[response.type] : {};
    if (!isObject(media)) continue;
    const rejected = response.status >= 400 && { ...request.query, ...bodyOf(request.body) };
    examplesOf(media)[exampleNameOf(summary)] = {
      summary,
      value: response.body,
      ...(rejected && Object.keys(rejected).length > 0
        ? {
            'x-request': {
              ...(request.query ? { query: request.query } : {}),
              ...bodyField(request.body),
            },
          }
        : {}),
    };
    responseObject.content = { ...content, [response.type]: media };
  }
}

function bodyOf(body: unknown): Json {
  return isObject(body) ? body : {};
}

function bodyField(body: unknown): Json {
  return body === undefined ? {} : { body };
}

/** Adds recorded headers that are not described yet, with examples. */
function addHeaderExamples(responseObject: Json, recordedHeaders: Record<string, string>): void {
  const headers = objectAt(responseObject, 'headers');
  const describedNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  for (const [name, example] of Object.entries(recordedHeaders)) {
    if (describedNames.has(name)) continue;
    const headerName = name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase());
    headers[headerName === 'Etag' ? 'ETag' : headerName] = { schema: { type: 'string' }, example };
  }
  responseObject.headers = headers;
}

/** Adds examples of problems; returns the codes that the operation refers to. */
function addProblemExamples(operation: Json, problems: Record<string, Json>): string[] {
  const usedCodes: string[] = [];
  for (const answer of Object.values(objectAt(operation, 'responses'))) {
    const content = isObject(answer) ? objectAt(answer, 'content') : {};
    const media = content['application/problem+json'];
    if (!isObject(media) || media.examples !== undefined) continue;
    const codes = codesOf(media).filter((code) => code in problems);
    if (codes.length === 0) continue;
    media.examples = Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
    );
    usedCodes.push(...codes);
  }
  return usedCodes;
}

/** The codes of a problem, as written by `describeProblems`. */
function codesOf(media: Json): string[] {
  const [, codeSchema] = listAt(objectAt(media, 'schema'), 'allOf');
  const { enum: codes } = codeSchema ? objectAt(objectAt(codeSchema, 'properties'), 'code') : {};
  return Array.isArray(codes) ? codes.map(String) : [];
}

function examplesOf(media: Json): Json {
  media.examples ??= {};
  return isObject(media.examples) ? media.examples : {};
}

/** The name of an example, shared by its request and its response. */
function exampleNameOf(summary: string): string {
  return summary
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function objectAt(parent: Json, name: string): Json {
  const value = parent[name];
  return isObject(value) ? value : {};
}

function listAt(parent: Json, name: string): Json[] {
  const value = parent[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}
