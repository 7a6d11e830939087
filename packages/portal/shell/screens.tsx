import type { Scope } from '@scriptorium/contracts/scopes';
import type { ComponentType } from 'preact';
import type { IconName } from '../kit/icons/icons.ts';
import { lazyComponent } from '../kit/lazy-component.tsx';
import { Loading } from '../kit/states.tsx';

/** An entry of the navigation and its screen, which is loaded on the first visit. */
export interface Screen {
  path: string;
  title: string;
  icon: IconName;
  /** The scope required to see the screen; null if none is. */
  scope: Scope | null;
  /** Also renders the paths below it: a resource, a form. */
  component: ComponentType;
}

const defineScreen = (
  path: string,
  title: string,
  icon: IconName,
  scope: Scope | null,
  load: () => Promise<{ default: ComponentType }>,
): Screen => ({
  path,
  title,
  icon,
  scope,
  component: lazyComponent(load, { placeholder: <Loading what={title} /> }),
});

/** The portal's screens, in the order of the navigation. */
export const screenGroups: readonly (readonly [name: string, screens: readonly Screen[]])[] = [
  // Shown above the named groups.
  ['', [defineScreen('/', 'Home', 'home', null, () => import('../home/index.tsx'))]],
  [
    'Library',
    [
      defineScreen(
        '/library',
        'Browse',
        'browse',
        'images:read',
        () => import('../library/browse/index.tsx'),
      ),
      defineScreen(
        '/collections',
        'Collections',
        'collections',
        'collections:read',
        () => import('../library/collections/index.tsx'),
      ),
      defineScreen(
        '/shares',
        'Shares',
        'shares',
        'shares:read',
        () => import('../library/shares/index.tsx'),
      ),
      defineScreen(
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
      defineScreen('/jobs', 'Jobs', 'jobs', 'documents:read', () => import('../jobs/index.tsx')),
      defineScreen(
        '/reviews',
        'Reviews',
        'reviews',
        'documents:read',
        () => import('../reviews/index.tsx'),
      ),
      defineScreen(
        '/packs',
        'Packs',
        'packs',
        'documents:read',
        () => import('../packs/index.tsx'),
      ),
    ],
  ],
  [
    'Deliver',
    [
      defineScreen(
        '/events',
        'Events',
        'events',
        'events:read',
        () => import('../developers/events/index.tsx'),
      ),
      defineScreen(
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
      defineScreen(
        '/audit',
        'Audit',
        'audit',
        'audit:read',
        () => import('../governance/audit/index.tsx'),
      ),
      defineScreen(
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
      defineScreen(
        '/members',
        'Members',
        'members',
        'members:read',
        () => import('../governance/members/index.tsx'),
      ),
      defineScreen(
        '/keys',
        'API keys',
        'keys',
        'keys:read',
        () => import('../developers/keys/index.tsx'),
      ),
      defineScreen(
        '/project',
        'Project',
        'project',
        'retention:read',
        () => import('../governance/project/index.tsx'),
      ),
      defineScreen(
        '/account',
        'Sessions',
        'sessions',
        null,
        () => import('../account/sessions.tsx'),
      ),
    ],
  ],
];

/** Returns the screen at a path of the portal. */
export function screenAt(path: string): Screen | undefined {
  return screenGroups
    .flatMap(([, screens]) => screens)
    .find((one) => path === one.path || path.startsWith(`${one.path}/`));
}
