import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';
import type { Scope } from '../../contracts/scopes.ts';

/** An entry of the navigation and its screen, which is loaded on the first visit. */
export interface Screen {
  path: string;
  title: string;
  /** Required to see the screen; null is none. */
  scope: Scope | null;
  /** Also renders the paths below: one resource, a form. */
  show: ComponentType;
}

const screen = (
  path: string,
  title: string,
  scope: Scope | null,
  load: () => Promise<{ default: ComponentType }>,
): Screen => ({ path, title, scope, show: lazy(load) });

/** The portal's screens, in the order of the navigation. */
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
      screen('/shares', 'Shares', 'shares:read', () => import('../library/shares/index.tsx')),
      screen('/trash', 'Trash', 'objects:read', () => import('../library/trash/index.tsx')),
    ],
  ],
  [
    'Documents',
    [
      screen('/jobs', 'Jobs', 'documents:read', () => import('../jobs/index.tsx')),
      screen('/reviews', 'Reviews', 'documents:read', () => import('../reviews/index.tsx')),
      screen('/packs', 'Packs', 'documents:read', () => import('../packs/index.tsx')),
    ],
  ],
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
      screen(
        '/members',
        'Members',
        'members:read',
        () => import('../governance/members/index.tsx'),
      ),
    ],
  ],
  ['Account', [screen('/account', 'Sessions', null, () => import('../account/sessions.tsx'))]],
];
