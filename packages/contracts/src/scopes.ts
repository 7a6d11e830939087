/** The scopes of API keys and of people's roles. `*` grants all of them. */
export const scopes = [
  'objects:read',
  'objects:write',
  'objects:download',
  'objects:purge',
  'images:read',
  'images:write',
  'collections:read',
  'collections:write',
  'shares:read',
  'shares:write',
  'documents:read',
  'documents:write',
  'documents:review',
  'webhooks:read',
  'webhooks:write',
  'policies:read',
  'policies:write',
  'retention:read',
  'retention:write',
  'erasures:read',
  'erasures:write',
  'keys:read',
  'keys:write',
  'members:read',
  'members:write',
  'events:read',
  'events:ack',
  'pii:read',
  'audit:read',
  'projects:delete',
  '*',
] as const;

export type Scope = (typeof scopes)[number];

/** Whether a caller with these scopes has the required scope. */
export function grants(scopes: readonly string[], required: Scope): boolean {
  return scopes.includes('*') || scopes.includes(required);
}
