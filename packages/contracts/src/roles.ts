import { grants, type Scope } from './scopes.ts';

const viewer = [
  'objects:read',
  'objects:download',
  'images:read',
  'collections:read',
  'documents:read',
  'events:read',
] as const satisfies readonly Scope[];

const editor = [
  ...viewer,
  'objects:write',
  'images:write',
  'collections:write',
  'shares:read',
  'shares:write',
  'documents:write',
] as const satisfies readonly Scope[];

/** The roles of people in a project: named sets of scopes, from narrowest to widest. */
export const roles = {
  viewer: { summary: 'Sees and downloads the library and its jobs.', scopes: viewer },
  editor: { summary: 'Also uploads, edits, shares and starts jobs.', scopes: editor },
  reviewer: {
    summary: 'Same as a viewer, and also decides reviews.',
    scopes: [...viewer, 'documents:review', 'pii:read'],
  },
  developer: {
    summary: 'Also manages webhooks, consumers and API keys.',
    scopes: [
      ...editor,
      'events:ack',
      'webhooks:read',
      'webhooks:write',
      'policies:read',
      'keys:read',
      'keys:write',
      'members:read',
    ],
  },
  admin: { summary: 'May do everything.', scopes: ['*'] },
} as const satisfies Record<string, { summary: string; scopes: readonly Scope[] }>;

export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

/** The scopes of a role. */
export function scopesOf(role: Role): readonly Scope[] {
  return roles[role].scopes;
}

/** Whether a caller with these scopes has all scopes of a role, and so may grant it. */
export function grantsRole(scopes: readonly string[], role: Role): boolean {
  return scopesOf(role).every((scope) => grants(scopes, scope));
}
