import { type Static, type TSchema, Type } from 'typebox';

/** An event type in the registry. */
export interface EventType {
  resource: string;
  category: 'domain' | 'audit';
  summary: string;
  data: TSchema;
  example: unknown;
}

export const strictOptions = { additionalProperties: false };
export const noData = Type.Object({}, strictOptions);
export const changedFields = Type.Object({ changed: Type.Array(Type.String()) }, strictOptions);
export const failureSchema = Type.Object(
  { code: Type.String(), message: Type.String(), retryable: Type.Boolean() },
  strictOptions,
);

/** An event about a change of a resource. */
export function domainEvent<R extends string, S extends TSchema>(
  resource: R,
  summary: string,
  data: S,
  example: Static<S>,
) {
  return { resource, category: 'domain', summary, data, example } as const;
}

/** An event for the administrators of a project: access, policies, webhook configuration. */
export function auditEvent<R extends string, S extends TSchema>(
  resource: R,
  summary: string,
  data: S,
  example: Static<S>,
) {
  return { resource, category: 'audit', summary, data, example } as const;
}
