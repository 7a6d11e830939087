import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { comment, fieldOf, objectType, type Schema, typeOf } from './schema-types.ts';

const root = resolve(import.meta.dirname, '../../..');
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
/** The files that are written, below the checkout: the client's types, and the portal's table of operations. */
export const generatedFiles = {
  client: 'packages/client/src/generated.ts',
  portal: 'packages/portal/api/operations.ts',
};
const written =
  '// Written by script/client-types out of the OpenAPI document; do not change by hand.';

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  explode?: boolean;
  description?: string;
  schema?: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** The parts of the OpenAPI document that are read. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The parts of the catalogue of events that are read. */
export interface Catalogue {
  type: string;
  summary: string;
  data_schema: object;
}

interface Described extends Operation {
  method: string;
  path: string;
}

/**
 * Writes the client's types: a type per schema of the document, what each operation takes and
 * returns, a table of how each is sent, and the data of each type of event.
 * docs/decisions/client-types.md says why `openapi-typescript` does not.
 * @returns TypeScript, formatted as the rest of the project is
 */
export async function generate(document: Document, catalogue: readonly Catalogue[]) {
  const operations = operationsOf(document);
  return format(
    [
      written,
      '/** What can be sent as the body of an upload. */\nexport type Bytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;',
      ...Object.entries(document.components.schemas).map(declaration),
      '/** What each operation takes and answers, by its operationId. */',
      `export interface Operations {\n${operations.map(signature).join('\n')}\n}`,
      'export type OperationId = keyof Operations;',
      `/** How an operation is sent. */
      export interface Sending {
        method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
        path: string;
        /** Takes an Idempotency-Key, so that it may be sent again. */
        keyed: boolean;
        /** Parameters that are one list with commas; other lists are repeated. */
        commas: readonly string[];
      }`,
      `export const operations: Readonly<Record<OperationId, Sending>> = {\n${operations.map(sending).join('\n')}\n};`,
      '/** What the `data` of an event holds, by its type. */',
      `export interface EventData {\n${catalogue.map(eventData).join('\n')}\n}`,
    ].join('\n\n'),
  );
}

/** Writes the table by which the portal sends operations; it has their types from the client. */
export function generateTable(document: Document): Promise<string> {
  const lines = operationsOf(document).map(
    ({ operationId, method, path }) => `${operationId}: ['${method}', '${path}'],`,
  );
  return format(
    [
      written,
      "import type { OperationId, Sending } from '../../client/src/generated.ts';",
      `/** How each operation is sent. */
      export const operations: Readonly<
        Record<OperationId, readonly [method: Sending['method'], path: string]>
      > = {\n${lines.join('\n')}\n};`,
    ].join('\n\n'),
  );
}

/** The operations of /v1 in the document's order. */
function operationsOf(document: Document): Described[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    );
}

function declaration([name, schema]: [string, Schema]): string {
  const said = comment(schema.description);
  return schema.properties && !schema.oneOf
    ? `${said}export interface ${name} ${objectType(schema)}`
    : `${said}export type ${name} = ${typeOf(schema)};`;
}

function signature(operation: Described): string {
  const fields = [...partOf(operation, 'path', 'params'), ...partOf(operation, 'query', 'query')];
  const body = bodyOf(operation);
  if (body) fields.push(fieldOf('body', body, { optional: !operation.requestBody?.required }));
  const input = fields.length > 0 ? `{ ${fields.join(' ')} }` : 'Record<string, never>';
  const said = [operation.summary, operation.description].filter(Boolean).join('\n\n');
  return `${comment(said)}${operation.operationId}: { input: ${input}; answer: ${answerOf(operation)} };`;
}

/** Returns the parameters of one location as one field; it may be omitted if all of them may. */
function partOf({ parameters }: Described, place: string, name: string): string[] {
  const found = parameters.filter((parameter) => parameter.in === place);
  if (found.length === 0) return [];
  const fields = found.map((parameter) =>
    fieldOf(parameter.name!, typeOf(parameter.schema ?? {}), {
      optional: !parameter.required,
      doc: parameter.description,
    }),
  );
  const optional = found.every((parameter) => !parameter.required);
  return [fieldOf(name, `{ ${fields.join('\n')} }`, { optional })];
}

function bodyOf({ requestBody }: Described): string | null {
  if (!requestBody) return null;
  const json = requestBody.content['application/json'];
  return json?.schema ? typeOf(json.schema) : 'Bytes';
}

/**
 * Returns the type that the call resolves to: JSON, nothing for a response without content,
 * otherwise the raw response.
 */
function answerOf({ responses }: Described): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = good.flatMap(([, { content }]) => {
    const schema = content?.['application/json']?.schema;
    return schema ? [typeOf(schema)] : [];
  });
  if (types.length > 0) return [...new Set(types)].join(' | ');
  return good.every(([status]) => status === '204') ? 'undefined' : 'Response';
}

function sending({ operationId, method, path, parameters }: Described): string {
  const keyed = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  const commas = parameters.filter(({ explode }) => explode === false).map(({ name }) => name);
  return `${operationId}: { method: '${method}', path: '${path}', keyed: ${keyed}, commas: ${JSON.stringify(commas)} },`;
}

function eventData({ type, summary, data_schema }: Catalogue): string {
  return fieldOf(type, typeOf(data_schema as Schema), { doc: summary });
}

/** Formats as `script/check` does. */
function format(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [biome, 'format', '--stdin-file-path=g.ts'],
      { cwd: root, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(text);
  });
}
