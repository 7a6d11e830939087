import type { Scope } from '@scriptorium/contracts/scopes';
import { ApiProblem, type ApiRequest, fetchOrProblem, requestFor, send } from '../api/request.ts';
import type { IconName } from '../kit/icons/icons.ts';
import { placeOf } from '../kit/resource-link.tsx';
import { groups } from '../shell/screens.tsx';

/** A page to open, or an action to perform. */
export interface Found {
  key: string;
  group: string;
  icon: IconName;
  title: string;
  /** Beside the title. */
  about?: string;
  /** Relative to the root of the portal; or `/docs…`, outside it. */
  href: string;
}

/** An item of a list that is searched here, with its searchable text. */
export type Entry = Found & { words: string };

/** The groups of results from the API, in display order. */
const groupOrder = [
  'Images',
  'Files and their text',
  'Jobs',
  'Collections',
  'Webhooks',
  'Policies',
  'API keys',
  'Members',
  'Events',
  'API docs',
];

/** Groups have a fixed order, whichever arrives first. */
export const sortedByGroup = (found: readonly Found[]): Found[] =>
  [...found].sort((one, other) => groupOrder.indexOf(one.group) - groupOrder.indexOf(other.group));

type Can = (scope: Scope) => boolean;

/** Maximum number of results in each group. */
const maxResults = 5;

const actions: readonly (readonly [title: string, href: string, icon: IconName, Scope])[] = [
  ['Start a job', '/jobs/new', 'add', 'documents:write'],
  ['Build a pack', '/packs/new', 'add', 'documents:write'],
  ['Create a webhook', '/webhooks/new', 'add', 'webhooks:write'],
  ['Create an API key', '/keys/new', 'add', 'keys:write'],
  ['New policy', '/policies/new', 'add', 'policies:write'],
  ['Consumers of events', '/events/consumers', 'events', 'events:read'],
  ['Event types', '/events/types', 'events', 'events:read'],
  ['Failed jobs', '/jobs?state=failed', 'jobs', 'documents:read'],
  ['Precision of reviews', '/reviews/stats', 'reviews', 'documents:read'],
];

/**
 * Returns results that need no request: screens, actions, a resource by its identifier, the docs.
 */
export function findHere(typed: string, can: Can): Found[] {
  const text = typed.trim();
  const has = (title: string): boolean => matches(title, text);
  const place = placeOf(text);
  const screens = groups.flatMap(([group, list]) =>
    list
      .filter(({ title, scope }) => (scope === null || can(scope)) && has(`${group} ${title}`))
      .map(
        ({ path, title, icon }): Found => ({
          key: path,
          group: 'Screens',
          icon,
          title,
          ...(group ? { about: group } : {}),
          href: path,
        }),
      ),
  );
  return [
    ...(place
      ? [
          {
            key: text,
            group: 'Identifier',
            icon: 'next' as const,
            title: `Open ${text}`,
            href: place.replace('~/portal', ''),
          },
        ]
      : []),
    ...screens,
    ...(text
      ? actions
          .filter(([title, , , scope]) => can(scope) && has(title))
          .map(([title, href, icon]): Found => ({ key: href, group: 'Actions', icon, title, href }))
      : []),
  ];
}

/** Finds the search of the docs, which is a page outside the portal. */
export const findInDocs = (typed: string): Found => ({
  key: 'docs',
  group: 'API docs',
  icon: 'docs',
  title: typed.trim() ? `Search the docs for “${typed.trim()}”` : 'API docs',
  href: typed.trim() ? `/docs/search?q=${encodeURIComponent(typed.trim())}` : '/docs',
});

/**
 * Returns the results of the API, and matches in the lists that it cannot search; in groups, each
 * as soon as it is available. Without its scope, a group is not requested.
 */
export function findInProject(
  typed: string,
  can: Can,
  lists: readonly Promise<readonly Entry[]>[],
  signal: AbortSignal,
  add: (found: readonly Found[]) => void,
): Promise<void>[] {
  const q = typed.trim();
  const ask = async <T>(
    scope: Scope,
    request: ApiRequest<T>,
    read: (data: T) => readonly Found[],
  ): Promise<void> => {
    if (!can(scope)) return;
    try {
      const { data } = await send(request, signal);
      if (!signal.aborted) add(read(data).slice(0, maxResults));
    } catch (error) {
      // A text that cannot be searched, or a group that cannot be read, has no results.
      if (!signal.aborted && !(error instanceof ApiProblem)) throw error;
    }
  };
  return [
    ask('images:read', requestFor('searchImages', { q, limit: maxResults }), ({ data }) =>
      data.map(({ id, title, filename }) => ({
        key: id,
        group: 'Images',
        icon: 'file-image',
        title: title ?? filename,
        ...(title ? { about: filename } : {}),
        href: `/library/images/${id}`,
      })),
    ),
    findObjects(q, can, ask),
    ask('collections:read', requestFor('listCollections', { q, limit: maxResults }), ({ data }) =>
      data.map(({ id, name, path }) => ({
        key: id,
        group: 'Collections',
        icon: 'collections',
        title: name,
        about: path
          .slice(0, -1)
          .map((one) => one.name)
          .join(' / '),
        href: `/collections/${id}`,
      })),
    ),
    askDocs(q, signal, add),
    ...lists.map(async (list) => {
      const found = (await list).filter(({ words }) => matches(words, q));
      if (!signal.aborted) add(found.slice(0, maxResults));
    }),
  ];
}

/** Guides and operations of the API. The docs are public, and outside the API. */
async function askDocs(
  q: string,
  signal: AbortSignal,
  add: (found: readonly Found[]) => void,
): Promise<void> {
  try {
    const response = await fetchOrProblem(`/docs/search.json?q=${encodeURIComponent(q)}`, {
      signal,
    });
    const { results } = (await response.json()) as { results: DocsHit[] };
    if (signal.aborted) return;
    add(
      results.slice(0, maxResults).map(({ url, page, title }) => ({
        key: url,
        group: 'API docs',
        icon: 'docs',
        title,
        about: page,
        href: url,
      })),
    );
  } catch (error) {
    if (!signal.aborted && !(error instanceof ApiProblem)) throw error;
  }
}

interface DocsHit {
  url: string;
  page: string;
  title: string;
}

type Ask = <T>(
  scope: Scope,
  request: ApiRequest<T>,
  read: (data: T) => readonly Found[],
) => Promise<void>;

/** Files by name and text, and the jobs on the first of them. */
async function findObjects(q: string, can: Can, ask: Ask): Promise<void> {
  let first: { id: string; filename: string } | undefined;
  await ask('objects:read', requestFor('listObjects', { q, limit: 2 * maxResults }), ({ data }) => {
    const files = data.filter(({ mime }) => !mime.startsWith('image/') || !can('images:read'));
    [first] = data;
    return files.map(({ id, filename }) => ({
      key: id,
      group: 'Files and their text',
      icon: 'file-pdf',
      title: filename,
      href: `/library/objects/${id}`,
    }));
  });
  if (!first) return;
  const { id: source, filename } = first;
  await ask(
    'documents:read',
    requestFor('listJobs', { source_object_id: source, limit: 3 }),
    ({ data }) =>
      data.map(({ id, state, operations }) => ({
        key: id,
        group: 'Jobs',
        icon: 'jobs',
        title: `${operations
          .filter(({ implicit }) => !implicit)
          .map(({ op }) => op)
          .join(', ')} of ${filename}`,
        about: state.replaceAll('_', ' '),
        href: `/jobs/${id}`,
      })),
  );
}

/** Whether a text contains every typed word, at least as a prefix. */
function matches(text: string, typed: string): boolean {
  const low = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}
