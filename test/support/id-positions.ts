import { type IdKind, idPattern, idPrefixes } from '@scriptorium/contracts/ids';
import type { TSchema } from 'typebox';

const kindOfPattern = new Map(
  (Object.keys(idPrefixes) as IdKind[]).map((kind) => [idPattern(kind), kind]),
);

/** Every place in a schema that contains an ID: its path in the value, and the kind. */
export function idPositions(
  schema: TSchema,
  path: string[] = [],
): { path: string[]; kind: IdKind }[] {
  const { pattern, properties, items, anyOf, oneOf } = schema as {
    pattern?: string;
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: TSchema[];
    oneOf?: TSchema[];
  };
  const kind = pattern === undefined ? undefined : kindOfPattern.get(pattern);
  return [
    ...(kind ? [{ path, kind }] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) =>
      idPositions(inner, [...path, name]),
    ),
    ...(items ? idPositions(items, [...path, '0']) : []),
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((inner) => idPositions(inner, path)),
  ];
}

/** The value with an ID at a path. */
export function replaceAt(value: unknown, path: string[], id: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return id;
  if (Array.isArray(value)) {
    return value.map((item, at) => (at === Number(step) ? replaceAt(item, rest, id) : item));
  }
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [step]: replaceAt(object[step], rest, id) };
}
