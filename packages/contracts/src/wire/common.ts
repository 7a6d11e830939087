import { type Static, type TSchema, Type } from 'typebox';
import { type IdKind, idPattern } from '../ids.ts';
import { limits } from '../limits.ts';

/** An identifier of one kind. */
export const Id = (kind: IdKind) => Type.String({ pattern: idPattern(kind) });

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** ISO 8601 in UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time' });

/** The author of a change or request. */
export const ActorRecord = Type.Object(
  {
    type: Type.String(),
    id: Nullable(Type.String()),
    name: Type.Union([Type.String(), Type.Null()], {
      description:
        'The name of a person or the title of a share at that time; null for all other actors.',
    }),
  },
  { additionalProperties: false, title: 'Actor' },
);

export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: limits.tag_characters }), {
  maxItems: limits.tags_per_resource,
});

export const Metadata = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 100,
  description: 'Your own data, up to 16 KiB as JSON.',
});

/** The reason for a failure. */
export const Failure = Type.Object(
  { code: Type.String(), message: Type.String(), retryable: Type.Boolean() },
  { additionalProperties: false, title: 'Failure' },
);
export type Failure = Static<typeof Failure>;
