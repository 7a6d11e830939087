import {
  type Static,
  type TArray,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from 'typebox';
import type { IdKind } from '../ids.ts';
import { limits } from '../limits.ts';
import { Id, Nullable } from './common.ts';

/** The building blocks of requests and responses. A `title` names an OpenAPI component. */

/** An object with exactly these fields. */
export function strictObject<P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string; minProperties?: number } = {},
): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** The schema with all fields optional. */
export function partial<T extends TObject>(schema: T) {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, Type.Optional(field)]),
  );
  return Type.Unsafe<Partial<Static<T>>>(strictObject(properties)) as ReturnType<
    typeof Type.Unsafe<Partial<Static<T>>>
  > & { properties: T['properties'] };
}

/**
 * An object of one of several shapes, discriminated by a field with constant values. Faults are
 * reported for the shape that the field selects.
 */
export function taggedUnion<const Variants extends readonly TObject[]>(
  tag: string,
  variants: Variants,
  options: { title: string; description?: string },
) {
  return Type.Unsafe<Static<Variants[number]>>({
    type: 'object',
    discriminator: { propertyName: tag },
    // The variants define the fields. Their names are repeated here, so that a field that no
    // variant has is reported regardless of the tag.
    properties: Object.fromEntries(variants.flatMap(namesOf).map((name) => [name, {}])),
    additionalProperties: false,
    required: [tag],
    oneOf: [...variants],
    ...options,
  });
}

function namesOf(variant: TObject): string[] {
  return Object.keys(variant.properties);
}

/** A query parameter that is a list: separated by commas, or repeated. */
export function commaList<S extends TSchema>(
  item: S,
  description?: string,
  options: { default?: Static<S>[]; maxItems?: number } = {},
) {
  return Type.Array(item, {
    explode: false,
    uniqueItems: true,
    ...options,
    ...(description ? { description } : {}),
  });
}

/** The query parameter that selects resources by their identifiers, at most a page of them. */
export function idFilter(kind: IdKind, plural: string) {
  return Type.Optional(
    commaList(Id(kind), `Only these ${plural}.`, { maxItems: limits.list_limit_max }),
  );
}

/**
 * A list in the filter of a body. It may also be written as in a query: as one string, with commas
 * if the query parameter uses them.
 */
export function listOrText<S extends TArray>(list: S) {
  const { description, ...plain }: S & { description?: string } = list;
  const isCommaSeparated = 'explode' in plain;
  return Type.Unsafe<Static<S>>({
    anyOf: [plain, { type: 'string', minLength: 1 }],
    'x-text-as-list': isCommaSeparated ? 'commas' : 'one',
    description: `${description ?? 'Any of these.'} A text stands for a list${isCommaSeparated ? ', separated by commas' : ' with one item'}.`,
  });
}

/** The fields of a filter in a body. */
export function filterFields<P extends TProperties>(fields: P): P {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    Type.IsArray(field) ? Type.Optional(listOrText(field)) : field,
  ]);
  // The static types are those of lists, because validation converts strings to lists.
  return Object.fromEntries(entries) as P;
}

/** The query parameter for a search text. Empty or `*` is the same as omitting it. */
export function searchText(maxLength: number, description: string) {
  return Type.String({
    maxLength,
    'x-ignored': ['', '*'],
    description: `${description} Empty or \`*\` means no search.`,
  });
}

/** The query parameters of every list. A `limit` above the maximum is reduced to it. */
export function listQuery(maximum: number = limits.list_limit_max) {
  return {
    limit: Type.Integer({
      minimum: 1,
      default: limits.list_limit_default,
      'x-coerced-maximum': maximum,
      description: `The page size. Default: ${limits.list_limit_default}. Larger values are reduced to ${maximum}.`,
    }),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'The `next_cursor` of the previous page. Requires the same filters.',
      }),
    ),
    include: Type.Optional(
      commaList(
        Type.Enum(['total']),
        '`total` adds the number of all matches, which takes extra time.',
      ),
    ),
  };
}

/**
 * The query parameter that sorts a list by one of `keys`: ascending, or descending after a minus.
 */
export function sortQuery<const Name extends string>(
  keys: readonly Name[],
  defaultSort: Name | `-${Name}`,
) {
  const sorts = keys.flatMap((key) => [`-${key}` as const, key]);
  return Type.Enum(sorts, { default: defaultSort });
}

/** A page of a list. */
export function listSchema<S extends TSchema>(item: S) {
  return strictObject({
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
    total: Nullable(Type.Integer({ minimum: 0, description: 'Only with `include=total`.' })),
  });
}

const faultSchema = strictObject(
  {
    pointer: Type.Optional(
      Type.String({ description: 'The place in the body, as a JSON pointer (RFC 6901).' }),
    ),
    parameter: Type.Optional(Type.String({ description: 'The query parameter.' })),
    header: Type.Optional(Type.String({ description: 'The header.' })),
    code: Type.String(),
    detail: Type.String(),
    allowed: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))),
  },
  { title: 'Fault' },
);

/** An error response (RFC 9457). Some codes have further members. */
export const problemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    request_id: Type.String(),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
    errors: Type.Optional(Type.Array(faultSchema)),
  },
  { title: 'Problem' },
);
export type ProblemDocument = Static<typeof problemSchema>;
