/** Accessors for the OpenAPI document, whose parts are untyped. */
import type { Json } from '../openapi/json.ts';
import { isObject } from '../openapi/schemas.ts';

export interface DocsOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  raw: Json;
}

export function objectAt(parent: unknown, ...names: string[]): Json {
  let value: unknown = parent;
  for (const name of names) value = isObject(value) ? value[name] : undefined;
  return isObject(value) ? value : {};
}

export function listAt(parent: Json, name: string): unknown[] {
  const value = parent[name];
  return Array.isArray(value) ? value : [];
}

export function textAt(parent: Json, name: string): string {
  const value = parent[name];
  return typeof value === 'string' ? value : '';
}

/** The target of a reference within the document; any other value unchanged. */
export function resolve(document: Json, value: unknown): Json {
  const ref = isObject(value) ? value.$ref : undefined;
  if (typeof ref === 'string') return objectAt(document, ...ref.slice(2).split('/'));
  return isObject(value) ? value : {};
}

/** The operations of the document, in its order. */
export function operationsOf(document: Json): DocsOperation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, raw]) => {
      const operation = isObject(raw) ? raw : {};
      return {
        id: textAt(operation, 'operationId'),
        method: method.toUpperCase(),
        path,
        tag: String(listAt(operation, 'tags')[0]),
        raw: operation,
      };
    }),
  );
}

export function tagsOf(document: Json): { name: string; description: string }[] {
  return listAt(document, 'tags')
    .filter(isObject)
    .map((tag) => ({ name: textAt(tag, 'name'), description: textAt(tag, 'description') }));
}

/** A name in the form used in URLs. */
function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** The page of a group of operations. */
export function tagPath(tag: string): string {
  return `/docs/reference/${slugOf(tag)}`;
}

/** The names of all schemas referenced by a value, directly or through other schemas. */
export function collectSchemaNames(document: Json, value: unknown, names = new Set<string>()) {
  if (Array.isArray(value)) for (const item of value) collectSchemaNames(document, item, names);
  else if (isObject(value)) {
    const name = refName(value);
    if (name !== null && !names.has(name)) {
      names.add(name);
      collectSchemaNames(document, objectAt(document, 'components', 'schemas', name), names);
    }
    for (const item of Object.values(value)) collectSchemaNames(document, item, names);
  }
  return names;
}

/** The name of the referenced schema, or null. */
export function refName(schema: Json): string | null {
  const found = /^#\/components\/schemas\/(\w+)$/.exec(textAt(schema, '$ref'));
  return found ? found[1]! : null;
}
