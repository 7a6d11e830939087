import { invalidParameter } from '@scriptorium/contracts/problems';
import {
  anyImage,
  type ImageFilters,
  ImageList,
  ImageQuery,
  type ImageSort,
  imageFilterFields,
  imageMimes,
} from '@scriptorium/contracts/wire/library/images';
import type { Static } from 'typebox';
import { collectionsOfImages } from '../../../library/collections/collections-of-images.ts';
import { resolveFilters } from '../../../library/collections/smart.ts';
import { noWordsCode } from '../../../library/filter-faults.ts';
import { findImages, presentImage } from '../../../library/images/load.ts';
import { countImageMonths, countImages } from '../../../library/images/search/counts.ts';
import { imageFilterFaults, type SearchFilters } from '../../../library/images/search/filters.ts';
import { highlight } from '../../../library/images/search/highlight.ts';
import { parseQuery } from '../../../library/images/search/query-language.ts';
import {
  defaultSort,
  type ImagePosition,
  imageCorpus,
  readImageStops,
  searchImages,
} from '../../../library/images/search/search.ts';
import { correctQuery, maxResultsToCorrect } from '../../../library/search/correct-query.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';
import { route } from '../../frame/route.ts';
import { page, readCursor, wantsTotal, writeStops } from '../../requests/cursor.ts';
import { rejectFilterFaults } from '../../requests/filters.ts';

export const searchRoute = route({
  method: 'GET',
  path: '/v1/images',
  operationId: 'searchImages',
  tag: 'Images',
  summary: 'Search the images of the project.',
  description:
    'The search sees everything that was saved before the request. `OR` binds more tightly than AND: `red OR blue car` finds cars that are red or blue. If a search has at most two results and a word matches no image, the word is corrected to a similar word of the project, and `mended_query` has the corrected query. `collection_id` requires the `collections:read` scope. Words in phrases, excluded words and words with digits are not corrected.',
  scopes: ['images:read'],
  work: 'search',
  query: ImageQuery,
  responses: { 200: ImageList },
  handler: async (call) => {
    const { key, tx, query } = call;
    const { include } = query;
    const sort = sortOf(query);
    if (include?.includes('collections'))
      requireAdditionalScopes(key, 'include=collections', ['collections:read']);
    if (query.collection_id) requireAdditionalScopes(key, '`collection_id`', ['collections:read']);
    const resolved = await resolveFilters(tx, key.projectId, filtersOf(query));
    let filters: SearchFilters = {
      ...resolved,
      imageIds: query.id,
      objectIds: query.object_id,
      states: query.state,
    };
    // The cursor contains the values of `position` below.
    const after = readCursor(call) as [...ImagePosition, corrected: string | null] | null;
    let corrected = after?.[2] ?? null;
    if (corrected !== null) filters = { ...filters, q: corrected };
    const start: ImagePosition | null = after && [after[0], after[1]];
    const search = () =>
      searchImages(tx, key.projectId, filters, { sort, after: start, limit: query.limit + 1 });
    let found = await search();
    const correctionThreshold = Math.min(maxResultsToCorrect, query.limit);
    if (filters.q !== undefined && !after && found.length <= correctionThreshold) {
      const corpus = imageCorpus(key.projectId, filters);
      corrected = await correctQuery(tx, key.projectId, filters.q, found.length, corpus);
      if (corrected !== null) {
        filters = { ...filters, q: corrected };
        found = await search();
      }
    }
    const requested = { total: wantsTotal(call), facets: include?.includes('facets') ?? false };
    const shownIds = found.slice(0, query.limit).map(({ id }) => id);
    const [images, counts, months, collections, stops] = await Promise.all([
      findImages(tx, key.projectId, shownIds),
      requested.total || requested.facets
        ? countImages(tx, key.projectId, filters, requested)
        : null,
      include?.includes('months')
        ? countImageMonths(tx, key.projectId, filters, query.months_by)
        : null,
      include?.includes('collections') ? collectionsOfImages(tx, key.projectId, shownIds) : null,
      include?.includes('stops') ? readImageStops(tx, key.projectId, filters, sort) : null,
    ]);
    const words = include?.includes('highlights') ? parseQuery(filters.q ?? '') : null;
    const byId = new Map(images.map((image) => [image.id, image]));
    const reply = await page(call, found, {
      present: ({ id }) => byId.get(id),
      position: ({ id, position }) => [position, id, corrected],
      count: () => counts?.total ?? null,
    });
    return {
      ...reply,
      body: {
        ...reply.body,
        // Images that were purged in the meantime are omitted.
        data: reply.body.data.flatMap((image) =>
          image
            ? [
                {
                  ...presentImage(image),
                  ...(words && { highlights: highlight(image, words) }),
                  ...(collections && { collections: collections.get(image.id) ?? [] }),
                },
              ]
            : [],
        ),
        ...(counts?.facets && { facets: counts.facets }),
        ...(months && { months }),
        ...(stops && {
          stops: writeStops(call, stops, ({ position, id }) => [position, id, corrected]),
        }),
        ...(corrected !== null && { mended_query: corrected }),
      },
    };
  },
});

type Query = Static<typeof ImageQuery>;

/** The filters in a query. A search text without words is valid: it matches nothing. */
function filtersOf(query: Query): ImageFilters {
  const names = Object.keys(imageFilterFields);
  const { mime, state: _states, ...others } = query;
  const filters: ImageFilters = Object.fromEntries(
    Object.entries(others).filter(([name]) => names.includes(name)),
  );
  const types = imageMimes.filter((type) => mime?.includes(type));
  if (mime && !mime.includes(anyImage)) filters.mime = types;
  rejectFilterFaults(imageFilterFaults(filters).filter(({ code }) => code !== noWordsCode));
  return filters;
}

/** @throws Problem 400 for a sort by relevance without `q` */
function sortOf({ q, sort }: Query): ImageSort {
  if (sort === 'relevance' && q === undefined) {
    const detail = '`sort=relevance` requires `q`.';
    throw invalidParameter({ parameter: 'sort', code: 'needs_q', detail });
  }
  return sort ?? defaultSort(q === undefined ? {} : { q });
}
