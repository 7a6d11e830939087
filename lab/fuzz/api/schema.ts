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

export interface Media {
  schema?: Schema;
  example?: Json;
  examples?: Record<string, { value?: Json }>;
}

/** An operation of the document, with its path and method. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** The path between its slashes. */
  steps: string[];
  scopes: string[];
  /** The template of an item that it lists or creates, and the prefix of the items' identifiers. */
  items: { template: string; prefix: string }[];
  parameters: Parameter[];
  /** The accepted media types of its body, with their schemas. */
  consumes: Record<string, Media>;
  responses: Record<string, { content?: Record<string, Media> }>;
}

interface OperationObject {
  operationId: string;
  'x-required-scopes'?: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Operation['responses'];
}

export interface Document {
  paths: Record<string, Record<string, OperationObject>>;
  components: Record<string, Record<string, unknown>>;
}

/** Follows `#/a/b` in the document. */
export function resolveReference<T>(document: Document, reference: string): T {
  let at: unknown = document;
  for (const step of reference.slice(2).split('/')) {
    at = (at as Record<string, unknown>)[step];
  }
  return at as T;
}

/**
 * The operations under /v1, with fixed paths first, so that the first match is the most specific.
 */
export function operationsOf(document: Document): Operation[] {
  const templates = Object.keys(document.paths);
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .sort(([one], [two]) => one.split('{').length - two.split('{').length)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        steps: path.split('/'),
        scopes: operation['x-required-scopes'] ?? [],
        items: itemsOf(document, templates, path),
        parameters: parametersOf(document, operation),
        consumes: operation.requestBody?.content ?? {},
        responses: operation.responses,
      })),
    );
}

function parametersOf(document: Document, { parameters = [] }: OperationObject): Parameter[] {
  return parameters.map((one) =>
    '$ref' in one ? resolveReference<Parameter>(document, one.$ref) : one,
  );
}

/** The prefixes in identifier patterns. */
export const idPattern = /^\^([a-z]{3,4})_\[0-7\]/;

/** The templates that extend this path by one identifier. */
function itemsOf(document: Document, templates: string[], path: string): Operation['items'] {
  const found = new Map<string, string>();
  for (const longerTemplate of templates.filter((one) => one.startsWith(`${path}/{`))) {
    const itemTemplate = longerTemplate.slice(0, longerTemplate.indexOf('}', path.length) + 1);
    const name = itemTemplate.slice(path.length + 2, -1);
    for (const operation of Object.values(document.paths[longerTemplate]!)) {
      const parameter = parametersOf(document, operation).find((one) => one.name === name);
      const prefix = idPattern.exec(parameter?.schema.pattern ?? '')?.[1];
      if (prefix) found.set(itemTemplate, prefix);
    }
  }
  return [...found].map(([template, prefix]) => ({ template, prefix }));
}
