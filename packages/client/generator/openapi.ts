import type { Schema } from './schema-types.ts';

/** A parameter of an operation, or a reference to a shared one. */
export interface Parameter {
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
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The parts of an event type that are read. */
export interface EventTypeEntry {
  type: string;
  summary: string;
  data_schema: object;
}

export interface RoutedOperation extends Operation {
  method: string;
  path: string;
}

/** The operations of /v1 in the document's order. */
export function operationsOf(document: OpenApiDocument): RoutedOperation[] {
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

/** Whether an operation accepts an Idempotency-Key, so that it can be retried. */
export function isKeyed({ parameters }: RoutedOperation): boolean {
  return parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
}

/** The names of the lists that are sent comma-separated; other lists are repeated parameters. */
export function commaLists({ parameters }: RoutedOperation): string[] {
  return parameters.flatMap(({ explode, name }) => (explode === false && name ? [name] : []));
}

/** The schemas of the JSON that an operation returns on success. */
export function responseSchemas({ responses }: RoutedOperation): Schema[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content?.['application/json']?.schema;
    return status.startsWith('2') && schema ? [schema] : [];
  });
}

/** The media types that an operation returns on success. */
export function mediaTypes({ responses }: RoutedOperation): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return [...new Set(successes.flatMap(([, { content }]) => Object.keys(content ?? {})))];
}

/** Whether an operation returns nothing on success. */
export function isEmpty({ responses }: RoutedOperation): boolean {
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  return successes.every((status) => status === '204');
}
