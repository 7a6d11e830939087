import {
  isEmpty,
  mediaTypes,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  type RoutedOperation,
  responseSchemas,
} from '../openapi.ts';
import type { Schema } from '../schema-types.ts';
import { methods } from './methods.ts';
import { escapeDoc, type PythonTypes, pascalCase, snakeCase } from './types.ts';

/** The parts of a method besides its name. */
interface Signature {
  /** The parameters after `self`, and what is passed on for each. */
  parameters: string[];
  passed: string[];
}

/** Emits a class for each resource, with a method for each of its operations. */
export function resourceClasses(document: OpenApiDocument, types: PythonTypes): string {
  const known: Readonly<Record<string, string | null>> = methods;
  const resources = new Map<string, string[]>();
  for (const operation of operationsOf(document)) {
    const path = known[operation.operationId];
    if (path === undefined) {
      throw new Error(`${operation.operationId} has no method in python/methods.ts.`);
    }
    if (path === null) {
      // The query is for the method that is written by hand.
      if (operation.parameters.some((one) => one.in === 'query')) declareQuery(operation, types);
      continue;
    }
    const dot = path.lastIndexOf('.');
    const resource = dot < 0 ? 'service' : path.slice(0, dot);
    const texts = resources.get(resource) ?? [];
    texts.push(methodText(path.slice(dot + 1), operation, document, types));
    resources.set(resource, texts);
  }
  return [...resources]
    .map(([name, texts]) => `class Async${pascalCase(name)}(AsyncResource):\n${texts.join('\n')}`)
    .join('\n\n');
}

function methodText(
  name: string,
  operation: RoutedOperation,
  { components: { schemas } }: OpenApiDocument,
  types: PythonTypes,
): string {
  const { parameters, passed } = signatureOf(operation, schemas, types);
  const { operationId, summary, description } = operation;
  const list = ['self', ...parameters].join(', ');
  const doc = escapeDoc([summary, description].filter(Boolean).join('\n\n'));
  const docstring = `        """${doc.replaceAll('\n', '\n        ')}"""`.replaceAll(/^ +$/gm, '');
  const responses = responseSchemas(operation);
  const responseName = `${pascalCase(operationId)}Response`;
  const answer = [...new Set(responses.map((one) => types.typeOf(one, responseName)))]
    .map(qualified)
    .join(' | ');
  const call = `self._transport.call(${passed.join(', ')})`;
  const method = (head: string, returned: string, body: string): string =>
    `    ${head} ${snakeCase(name)}(${list}) -> ${returned}:\n${docstring}\n        ${body}\n`;
  const items = pageItems(resolveRef(responses[0] ?? {}, schemas));
  if (items && operation.parameters.some((one) => one.name === 'cursor')) {
    const item = qualified(types.typeOf(items, `${responseName}Data`));
    const listing = `AsyncListing[${item}, ${answer}]`;
    return method('def', listing, `return AsyncListing(self._transport, ${passed.join(', ')})`);
  }
  if (answer) return method('async def', answer, `return cast("${answer}", await ${call})`);
  if (isEmpty(operation)) return method('async def', 'None', `await ${call}`);
  const send = [...passed, `accept=${JSON.stringify(mediaTypes(operation).join(', '))}`];
  return method(
    'async def',
    'AsyncResponse',
    `return await self._transport.send(${send.join(', ')})`,
  );
}

function signatureOf(
  operation: RoutedOperation,
  schemas: Record<string, Schema>,
  types: PythonTypes,
): Signature {
  const { operationId, requestBody, method } = operation;
  const path = operation.parameters.filter((one) => one.in === 'path');
  const parameters = path.map((one) => `${one.name}: ${pathType(one, types)}`);
  const passed = [JSON.stringify(operationId)];
  if (path.length > 0) {
    parameters.push('/');
    passed.push(`path={${path.map(({ name }) => `"${name}": ${name}`).join(', ')}}`);
  }
  parameters.push('*');
  const version = operation.parameters.find(({ $ref }) => /\/IfMatch(Required)?$/.test($ref ?? ''));
  if (version && method !== 'GET') {
    const isRequired = version.$ref?.endsWith('Required') ?? false;
    parameters.push(isRequired ? 'if_match: Version' : 'if_match: Version | None = None');
    passed.push('if_match=if_match');
  }
  parameters.push('request_options: RequestOptions | None = None');
  passed.push('options=request_options');
  const query = operation.parameters.filter((one) => one.in === 'query');
  if (query.length > 0 && requestBody) {
    throw new Error(`${operationId} has both a query and a body, which has no form in Python.`);
  }
  if (requestBody) {
    const schema = requestBody.content['application/json']?.schema;
    if (!schema) throw new Error(`The body of ${operationId} is not JSON. Write it by hand.`);
    const name = `${pascalCase(operationId)}Body`;
    if (schema.properties) types.declareKeywords(name, schema);
    const body = schema.properties ? `t.${name}` : qualified(types.typeOf(schema, name));
    // Only an object can be passed as keywords, not a choice of several.
    if (resolveRef(schema, schemas).properties) parameters.push(`**body: Unpack[${body}]`);
    else parameters.splice(parameters.indexOf('*'), 0, `body: ${body}`);
    passed.push('body=body');
  } else if (query.length > 0) {
    parameters.push(`**query: Unpack[t.${declareQuery(operation, types)}]`);
    passed.push('query=query');
  }
  return { parameters, passed };
}

/** Declares the query of an operation, which methods that are written by hand use too. */
function declareQuery({ operationId, parameters }: RoutedOperation, types: PythonTypes): string {
  const name = `${pascalCase(operationId)}Query`;
  const query = parameters.filter((one) => one.in === 'query');
  const schemas = query.map((one) => [
    one.name ?? '',
    { description: one.description, ...one.schema },
  ]);
  const required = query.flatMap((one) => (one.required && one.name ? [one.name] : []));
  types.declareKeywords(name, { properties: Object.fromEntries(schemas), required });
  return name;
}

/** Numbers and other text are strings of the URL; names of a closed list are literals. */
function pathType({ schema = {} }: Parameter, types: PythonTypes): string {
  if (schema.$ref) return 'str | int';
  return qualified(types.typeOf(schema, ''));
}

/** The schema of the items, if a response is a page of a list. */
function pageItems({ properties }: Schema): Schema | undefined {
  return properties?.next_cursor ? properties.data?.items : undefined;
}

function resolveRef(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref ? (schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}) : schema;
}

/** A type with its classes qualified by the module of the types. */
function qualified(type: string): string {
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (name) =>
    name.startsWith('"') || ['None', 'Any', 'Literal'].includes(name) ? name : `t.${name}`,
  );
}
