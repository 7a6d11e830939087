import { type Static, type TSchema, Type } from 'typebox';

/** An event type in the registry. */
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

/** An event about a change of a resource. */
export function domain<R extends string, S extends TSchema>(
  resource: R,
  summary: string,
  data: S,
  example: Static<S>,
) {
  return { resource, category: 'domain', summary, data, example } as const;
}

/** An event for the administrators of a project: access, policies, webhook configuration. */
export function audit<R extends string, S extends TSchema>(
  resource: R,
  summary: string,
  data: S,
  example: Static<S>,
) {
  return { resource, category: 'audit', summary, data, example } as const;
}
