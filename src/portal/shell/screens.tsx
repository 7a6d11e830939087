import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';
import type { Scope } from '../../contracts/scopes.ts';

/** One entry of the navigation and what it shows; loaded when it is first gone to. */
export interface Screen {
  path: string;
  title: string;
  /** Without it the key sees nothing here, and the screen says so. */
  scope: Scope;
  /** Also shows what is below its path: one resource, a form. */
  show: ComponentType;
}

const screen = (
  path: string,
  title: string,
  scope: Scope,
  load: () => Promise<{ default: ComponentType }>,
): Screen => ({ path, title, scope, show: lazy(load) });

/** The portal's screens as they stand in the navigation (contract §10). */
export const groups: readonly (readonly [name: string, screens: readonly Screen[]])[] = [
  [
    'Library',
    [
      screen('/library', 'Browse', 'images:read', () => import('../library/browse/index.tsx')),
      screen(
        '/collections',
        'Collections',
        'collections:read',
        () => import('../library/collections/index.tsx'),
      ),
      screen('/trash', 'Trash', 'objects:read', () => import('../library/trash/index.tsx')),
    ],
  ],
  ['Documents', [screen('/jobs', 'Jobs', 'documents:read', () => import('../jobs/index.tsx'))]],
  [
    'Developers',
    [
      screen('/events', 'Events', 'events:read', () => import('../developers/events/index.tsx')),
      screen(
        '/webhooks',
        'Webhooks',
        'webhooks:read',
        () => import('../developers/webhooks/index.tsx'),
      ),
      screen('/keys', 'API keys', 'keys:read', () => import('../developers/keys/index.tsx')),
    ],
  ],
  [
    'Governance',
    [
      screen('/audit', 'Audit', 'audit:read', () => import('../governance/audit/index.tsx')),
      screen(
        '/policies',
        'Policies',
        'policies:read',
        () => import('../governance/policies/index.tsx'),
      ),
    ],
  ],
];
