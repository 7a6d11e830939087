import type { Scope } from '@scriptorium/contracts/scopes';
import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';
import type { IconName } from '../kit/icons/icons.ts';

/** An entry of the navigation and its screen, which is loaded on the first visit. */
export interface Screen {
  path: string;
  title: string;
  icon: IconName;
  /** The scope required to see the screen; null if none is. */
  scope: Scope | null;
  /** Also renders the paths below it: a resource, a form. */
  show: ComponentType;
}

const screen = (
  path: string,
  title: string,
  icon: IconName,
  scope: Scope | null,
  load: () => Promise<{ default: ComponentType }>,
): Screen => ({ path, title, icon, scope, show: lazy(load) });

/** The portal's screens, in the order of the navigation. */
export const groups: readonly (readonly [name: string, screens: readonly Screen[]])[] = [
  // Above the groups, without a name.
  ['', [screen('/', 'Home', 'home', null, () => import('../home/index.tsx'))]],
  [
    'Library',
    [
      screen(
        '/library',
        'Browse',
        'browse',
        'images:read',
        () => import('../library/browse/index.tsx'),
      ),
      screen(
        '/collections',
        'Collections',
        'collections',
        'collections:read',
        () => import('../library/collections/index.tsx'),
      ),
      screen(
        '/shares',
        'Shares',
        'shares',
        'shares:read',
        () => import('../library/shares/index.tsx'),
      ),
      screen(
        '/trash',
        'Trash',
        'trash',
        'objects:read',
        () => import('../library/trash/index.tsx'),
      ),
    ],
  ],
  [
    'Documents',
    [
      screen('/jobs', 'Jobs', 'jobs', 'documents:read', () => import('../jobs/index.tsx')),
      screen(
        '/reviews',
        'Reviews',
        'reviews',
        'documents:read',
        () => import('../reviews/index.tsx'),
      ),
      screen('/packs', 'Packs', 'packs', 'documents:read', () => import('../packs/index.tsx')),
    ],
  ],
  [
    'Deliver',
    [
      screen(
        '/events',
        'Events',
        'events',
        'events:read',
        () => import('../developers/events/index.tsx'),
      ),
      screen(
        '/webhooks',
        'Webhooks',
        'webhooks',
        'webhooks:read',
        () => import('../developers/webhooks/index.tsx'),
      ),
    ],
  ],
  [
    'Govern',
    [
      screen(
        '/audit',
        'Audit',
        'audit',
        'audit:read',
        () => import('../governance/audit/index.tsx'),
      ),
      screen(
        '/policies',
        'Policies',
        'policies',
        'policies:read',
        () => import('../governance/policies/index.tsx'),
      ),
    ],
  ],
  [
    'Settings',
    [
      screen(
        '/members',
        'Members',
        'members',
        'members:read',
        () => import('../governance/members/index.tsx'),
      ),
      screen(
        '/keys',
        'API keys',
        'keys',
        'keys:read',
        () => import('../developers/keys/index.tsx'),
      ),
      screen('/account', 'Sessions', 'sessions', null, () => import('../account/sessions.tsx')),
    ],
  ],
];

/** Returns the screen at a path of the portal. */
export function screenAt(path: string): Screen | undefined {
  return groups
    .flatMap(([, screens]) => screens)
    .find((one) => path === one.path || path.startsWith(`${one.path}/`));
}
