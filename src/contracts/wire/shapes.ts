import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Nullable } from './common.ts';

/** The shapes that requests and answers are put together from. A `title` names an OpenAPI component. */

/** An object that knows exactly these fields. */
export function strictObject<P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string; minProperties?: number } = {},
): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A schema whose fields may all be left out: each has a default. */
export function partial<T extends TObject>(schema: T) {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, Type.Optional(field)]),
  );
  return Type.Unsafe<Partial<Static<T>>>(strictObject(properties)) as ReturnType<
    typeof Type.Unsafe<Partial<Static<T>>>
  > & { properties: T['properties'] };
}

/**
 * An object of one of several shapes, told apart by a field whose values are constants: faults are
 * those of the shape the field names, never of all.
 */
export function taggedUnion<const Variants extends readonly TObject[]>(
  tag: string,
  variants: Variants,
  options: { title: string; description?: string },
) {
  return Type.Unsafe<Static<Variants[number]>>({
    type: 'object',
    discriminator: { propertyName: tag },
    // What they are stands in the variants; here their names are, so that a field that no variant has
    // is told of whatever the tag says.
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

/** A query parameter that is a list: with commas, or given several times. Any of its values will do. */
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

/** The query parameter for a text to search for: empty, or `*`, is the same as none. */
export function searchText(maxLength: number, description: string) {
  return Type.String({
    maxLength,
    'x-ignored': ['', '*'],
    description: `${description} Empty or \`*\` is the same as no \`q\`.`,
  });
}

/** The query parameters every list has. `limit` above the maximum is brought down to it. */
export function listQuery(maximum: number = limits.list_limit_max) {
  return {
    limit: Type.Integer({
      minimum: 1,
      default: limits.list_limit_default,
      'x-coerced-maximum': maximum,
      description: `How many to answer with: ${limits.list_limit_default} unless said; more than ${maximum} is brought down to ${maximum}.`,
    }),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'The `next_cursor` of the page before, with the same filters.',
      }),
    ),
    include: Type.Optional(
      commaList(Type.Enum(['total']), '`total` counts all that match; it costs a count.'),
    ),
  };
}

/** A page of a list. */
export function listSchema<S extends TSchema>(item: S) {
  return strictObject({
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
    total: Nullable(Type.Integer({ minimum: 0, description: 'With `include=total` only.' })),
  });
}

const faultSchema = strictObject(
  {
    pointer: Type.Optional(Type.String({ description: 'Where in the body (RFC 6901).' })),
    parameter: Type.Optional(Type.String({ description: 'Which query parameter.' })),
    header: Type.Optional(Type.String({ description: 'Which header.' })),
    code: Type.String(),
    detail: Type.String(),
    allowed: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))),
  },
  { title: 'Fault' },
);

/** What every error looks like (RFC 9457). Some codes have further members. */
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
