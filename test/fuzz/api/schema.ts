/** The keywords of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: Json[];
  const?: Json;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  explode?: boolean;
  schema: Schema;
}

interface Media {
  schema?: Schema;
}

/** An operation of the document, with its path and method. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** The path between its slashes. */
  steps: string[];
  scopes: string[];
  parameters: Parameter[];
  /** The media types that its body may have, with their schemas. */
  consumes: Record<string, Media>;
  responses: Record<string, { content?: Record<string, Media> }>;
}

interface Described {
  operationId: string;
  'x-required-scopes'?: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Operation['responses'];
}

export interface Document {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, unknown>>;
}

/** Follows `#/a/b` in the document. */
export function follow<T>(document: Document, reference: string): T {
  let at: unknown = document;
  for (const step of reference.slice(2).split('/')) {
    at = (at as Record<string, unknown>)[step];
  }
  return at as T;
}

/** The operations under /v1, those with fixed paths first: the first that fits a path is its own. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .sort(([one], [two]) => one.split('{').length - two.split('{').length)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        steps: path.split('/'),
        scopes: described['x-required-scopes'] ?? [],
        parameters: (described.parameters ?? []).map((one) =>
          '$ref' in one ? follow<Parameter>(document, one.$ref) : one,
        ),
        consumes: described.requestBody?.content ?? {},
        responses: described.responses,
      })),
    );
}
