import { type Static, type TSchema, Type } from 'typebox';

/** What the registry says of a type of event. */
export interface EventType {
  resource: string;
  category: 'domain' | 'audit';
  summary: string;
  data: TSchema;
  example: unknown;
}

export const strict = { additionalProperties: false };
export const none = Type.Object({}, strict);
export const changes = Type.Object({ changed: Type.Array(Type.String()) }, strict);
export const failure = Type.Object(
  { code: Type.String(), message: Type.String(), retryable: Type.Boolean() },
  strict,
);

/** A change of a resource: what feeds and webhooks are for. */
export function domain<R extends string, S extends TSchema>(
  resource: R,
  summary: string,
  data: S,
  example: Static<S>,
) {
  return { resource, category: 'domain', summary, data, example } as const;
}

/** What is no change of a resource, or only for who looks after the project. */
export function audit<R extends string, S extends TSchema>(
  resource: R,
  summary: string,
  data: S,
  example: Static<S>,
) {
  return { resource, category: 'audit', summary, data, example } as const;
}
