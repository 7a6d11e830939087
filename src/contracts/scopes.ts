/** What an API key may be allowed to do (contract §2). `*` is all of them. */
export const scopes = [
  'objects:read',
  'objects:write',
  'objects:download',
  'objects:purge',
  'images:read',
  'images:write',
  'collections:read',
  'collections:write',
  'documents:read',
  'documents:write',
  'webhooks:read',
  'webhooks:write',
  'policies:read',
  'policies:write',
  'keys:read',
  'keys:write',
  'events:read',
  'events:ack',
  'pii:read',
  'audit:read',
  '*',
] as const;

export type Scope = (typeof scopes)[number];

/** Whether a key with these scopes may do what the wanted scope names. */
export function grants(held: readonly string[], wanted: Scope): boolean {
  return held.includes('*') || held.includes(wanted);
}
