import type { Scope } from '@scriptorium/contracts/scopes';
import type { SearchResult as ApiResult } from '@scriptorium/contracts/wire/library/search';
import { ApiProblem, type ApiRequest, fetchOrThrow, requestFor, send } from '../api/request.ts';
import type { IconName } from '../kit/icons/icons.ts';
import { pathOfResource } from '../kit/resource-link.tsx';
import { passagePath, searchPassages } from '../library/passages/passages.ts';
import { screenGroups } from '../shell/screens.tsx';

/** A page to open, or an action to perform. */
export interface SearchResult {
  key: string;
  group: string;
  icon: IconName;
  title: string;
  /** Beside the title. */
  about?: string;
  /** The passage that matches, in pieces. */
  excerpt?: NonNullable<ApiResult['excerpt']>;
  /** Relative to the root of the portal; or `/docs…`, outside it. */
  href: string;
}

/** An item of a list that is searched in the browser, with its searchable text. */
export type SearchEntry = SearchResult & { words: string };

/** The groups of results from the API, in display order. */
const groupOrder = [
  'Files and images',
  'Passages',
  'Jobs',
  'Collections',
  'Webhooks',
  'Policies',
  'API keys',
  'Members',
  'Events',
  'API docs',
];

/** Sorts results into the fixed order of groups, whichever arrived first. */
export const sortByGroup = (results: readonly SearchResult[]): SearchResult[] =>
  [...results].sort(
    (one, other) => groupOrder.indexOf(one.group) - groupOrder.indexOf(other.group),
  );

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
 * Returns the results that need no request: screens, actions, and a resource by its identifier.
 */
export function findLocally(query: string, can: Can): SearchResult[] {
  const text = query.trim();
  const matchesText = (title: string): boolean => matches(title, text);
  const resourcePath = pathOfResource(text);
  const screens = screenGroups.flatMap(([group, list]) =>
    list
      .filter(
        ({ title, scope }) => (scope === null || can(scope)) && matchesText(`${group} ${title}`),
      )
      .map(
        ({ path, title, icon }): SearchResult => ({
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
    ...(resourcePath
      ? [
          {
            key: text,
            group: 'Identifier',
            icon: 'next' as const,
            title: `Open ${text}`,
            href: resourcePath.replace('~/portal', ''),
          },
        ]
      : []),
    ...screens,
    ...(text
      ? actions
          .filter(([title, , , scope]) => can(scope) && matchesText(title))
          .map(
            ([title, href, icon]): SearchResult => ({
              key: href,
              group: 'Actions',
              icon,
              title,
              href,
            }),
          )
      : []),
  ];
}

/** Returns a link to the search of the docs, which is outside the portal. */
export const docsLink = (query: string): SearchResult => ({
  key: 'docs',
  group: 'API docs',
  icon: 'docs',
  title: query.trim() ? `Search the docs for “${query.trim()}”` : 'API docs',
  href: query.trim() ? `/docs/search?q=${encodeURIComponent(query.trim())}` : '/docs',
});

/**
 * Searches the API, and the lists that it cannot search. Calls `onResults` for each group as soon as
 * it is available. Groups whose scope is missing are not requested.
 */
export function findInProject(
  typed: string,
  can: Can,
  lists: readonly Promise<readonly SearchEntry[]>[],
  signal: AbortSignal,
  onResults: (results: readonly SearchResult[]) => void,
): Promise<void>[] {
  const q = typed.trim();
  const searchGroup = async <T>(
    scope: Scope,
    request: ApiRequest<T>,
    read: (data: T) => readonly SearchResult[],
  ): Promise<void> => {
    if (!can(scope)) return;
    try {
      const { data } = await send(request, signal);
      if (!signal.aborted) onResults(read(data).slice(0, maxResults));
    } catch (error) {
      // A text that cannot be searched, or a group that cannot be read, has no results.
      if (!signal.aborted && !(error instanceof ApiProblem)) throw error;
    }
  };
  return [
    can('objects:read')
      ? findFiles(q, searchGroup)
      : searchGroup(
          'images:read',
          requestFor('searchImages', { q, limit: maxResults }),
          ({ data }) =>
            data.map(({ id, title, filename }) => ({
              key: id,
              group: 'Files and images',
              icon: 'file-image',
              title: title ?? filename,
              ...(title ? { about: filename } : {}),
              href: `/library/images/${id}`,
            })),
        ),
    searchGroup(
      'collections:read',
      requestFor('listCollections', { q, limit: maxResults }),
      ({ data }) =>
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
    searchDocs(q, signal, onResults),
    ...lists.map(async (list) => {
      const matching = (await list).filter(({ words }) => matches(words, q));
      if (!signal.aborted) onResults(matching.slice(0, maxResults));
    }),
  ];
}

/** Searches the guides and operations in the docs, which are public and not part of the API. */
async function searchDocs(
  q: string,
  signal: AbortSignal,
  onResults: (results: readonly SearchResult[]) => void,
): Promise<void> {
  try {
    const response = await fetchOrThrow(`/docs/search.json?q=${encodeURIComponent(q)}`, {
      signal,
    });
    const { results } = (await response.json()) as { results: DocsResult[] };
    if (signal.aborted) return;
    onResults(
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

interface DocsResult {
  url: string;
  page: string;
  title: string;
}

type SearchGroup = <T>(
  scope: Scope,
  request: ApiRequest<T>,
  read: (data: T) => readonly SearchResult[],
) => Promise<void>;

/**
 * Searches files and images, best match first: originals, then files derived from them. Then
 * searches passages of other files, which need not contain all words, and requests the jobs on the
 * first file.
 */
async function findFiles(q: string, searchGroup: SearchGroup): Promise<void> {
  const found: ApiResult[] = [];
  const readNew = ({ data, mended_query: corrected }: ApiResults): SearchResult[] => {
    const areDerived = found.length > 0;
    const added = data.filter(({ id }) => found.every((one) => one.id !== id));
    found.push(...added);
    return added.map((result) => fileResult(result, corrected ?? q, areDerived));
  };
  const query = { q, limit: maxResults };
  await searchGroup('objects:read', requestFor('search', { ...query, originals: true }), readNew);
  if (found.length > 0 && found.length < maxResults) {
    await searchGroup('objects:read', requestFor('search', query), readNew);
  }
  const [first] = found;
  await Promise.all([
    searchGroup('objects:read', searchPassages(q, maxResults), ({ data }) =>
      data
        .filter(({ object_id }) => found.every((one) => one.object_id !== object_id))
        .map((passage, at) => ({
          key: `passage ${at}`,
          group: 'Passages',
          icon: 'file-pdf',
          title: passage.filename,
          about: `Page ${passage.page}`,
          excerpt: passage.excerpt,
          href: passagePath(passage, q),
        })),
    ),
    first &&
      searchGroup(
        'documents:read',
        requestFor('listJobs', { source_object_id: first.object_id, limit: 3 }),
        ({ data }) =>
          data.map(({ id, state, operations }) => ({
            key: id,
            group: 'Jobs',
            icon: 'jobs',
            title: `${operations
              .filter(({ implicit }) => !implicit)
              .map(({ op }) => op)
              .join(', ')} of ${first.title}`,
            about: state.replaceAll('_', ' '),
            href: `/jobs/${id}`,
          })),
      ),
  ]);
}

interface ApiResults {
  data: ApiResult[];
  mended_query?: string;
}

/** A file or image, with the passage that matches; it opens at the page of the passage. */
function fileResult(
  { type, id, object_id, title, excerpt, field, page }: ApiResult,
  q: string,
  isDerived: boolean,
): SearchResult {
  const isImage = type === 'image';
  const about = [isDerived && 'derived', page !== null && `Page ${page}`].filter(Boolean);
  return {
    key: id,
    group: 'Files and images',
    icon: isImage ? 'file-image' : 'file-pdf',
    title,
    ...(about.length > 0 ? { about: about.join(' · ') } : {}),
    ...(excerpt && field !== 'title' && title !== textOf(excerpt) ? { excerpt } : {}),
    href:
      page === null
        ? `/library/${isImage ? 'images' : 'objects'}/${id}`
        : `/library/objects/${object_id}?${new URLSearchParams({ q, page: String(page) })}`,
  };
}

const textOf = (excerpt: NonNullable<ApiResult['excerpt']>): string =>
  excerpt.map(({ text }) => text).join('');

/** Whether a text contains every typed word, also as a part of longer words. */
function matches(text: string, query: string): boolean {
  const lowerText = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerText.includes(word));
}
