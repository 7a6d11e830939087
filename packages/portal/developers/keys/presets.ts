import { scopesOf } from '@scriptorium/contracts/roles';
import { grants, type Scope } from '@scriptorium/contracts/scopes';

interface ScopePreset {
  /** What the key is for. */
  task: string;
  scopes: readonly Scope[];
}

/** The scopes that common tasks need. */
export const scopePresets: readonly ScopePreset[] = [
  { task: 'Upload files', scopes: ['objects:read', 'objects:write'] },
  {
    task: 'Run document jobs',
    scopes: [
      'objects:read',
      'objects:write',
      'objects:download',
      'documents:read',
      'documents:write',
    ],
  },
  {
    task: 'Receive events',
    scopes: ['events:read', 'events:ack', 'webhooks:read', 'webhooks:write'],
  },
  {
    task: 'Review redactions',
    scopes: ['objects:read', 'documents:read', 'documents:review', 'pii:read'],
  },
  { task: 'Read only', scopes: scopesOf('viewer') },
  { task: 'Everything', scopes: ['*'] },
];

/** Whether exactly the scopes of a preset are selected. */
export function isSelected({ scopes }: ScopePreset, selected: readonly Scope[]): boolean {
  return selected.length === scopes.length && scopes.every((scope) => selected.includes(scope));
}

/** Whether a session with these scopes may grant all scopes of a preset. */
export function isGrantable({ scopes }: ScopePreset, sessionScopes: readonly string[]): boolean {
  return scopes.every((scope) => grants(sessionScopes, scope));
}
