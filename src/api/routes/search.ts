import { grants } from '@scriptorium/contracts/scopes';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import {
  onlyImageFilters,
  SearchQuery,
  SearchResults,
} from '@scriptorium/contracts/wire/library/search';
import type { Static } from 'typebox';
import type { Identity } from '../../access/authenticate.ts';
import { imageFilterFaults } from '../../library/images/search/filters.ts';
import { parseQuery } from '../../library/images/search/query-language.ts';
import { prepareSearch } from '../../library/objects/conditions.ts';
import { countMatches } from '../../library/objects/counts.ts';
import { objectCorpus } from '../../library/search/corpus.ts';
import { correctQuery, maxResultsToCorrect } from '../../library/search/correct-query.ts';
import {
  countOrientations,
  type RankedPosition,
  rankObjects,
  readRankedStops,
} from '../../library/search/queries.ts';
import { presentResults } from '../../library/search/results.ts';
import { requireAdditionalScopes } from '../frame/admit.ts';
import { route } from '../frame/route.ts';
import { page, readCursor, wantsTotal, writeStops } from '../requests/cursor.ts';
import { rejectFilterFaults } from '../requests/filters.ts';
import { readObjectFilters } from '../requests/object-filters.ts';

const search = route({
  method: 'GET',
  path: '/v1/search',
  operationId: 'search',
  tag: 'Search',
  summary: 'Search objects and images in one ranking, best match first.',
  description:
    'A picture is one result. Without the `images:read` scope, pictures are objects, and their titles, descriptions, creators, cameras and places are not searched. Text that a policy does not let this caller read now neither matches nor appears; where a policy requires redaction, the redacted text is searched and shown. The title ranks highest, then filename and tags, description and alternative text, metadata and text. The newest 500 matches are ranked, the newest 100 of them also by their text, and the newest 500 with all words in the title, filename and tags. All other matches follow, newest first, with a score of 0. If a search has at most two results and nothing contains one of its words, the word is corrected to a similar word of the project, and `mended_query` has the corrected query.',
  scopes: ['objects:read'],
  work: 'search',
  query: SearchQuery,
  responses: { 200: SearchResults },
  handler: async (call) => {
    const { key, tx, query } = call;
    const { include } = query;
    const pictures = picturesOf(query.kind);
    const filters = {
      ...readObjectFilters(key, query),
      pictures,
      ofImage: readImageFilters(key, query),
    };
    if (query.kind?.includes('image'))
      requireAdditionalScopes(key, '`kind=image`', ['images:read']);
    // The cursor contains the values of `position` below.
    const after = readCursor(call) as [...RankedPosition, corrected: string | null] | null;
    let corrected = after?.[2] ?? null;
    const caller = { ...call.origin, readsImages: grants(key.scopes, 'images:read') };
    let found = await prepareSearch(tx, caller, { ...filters, q: corrected ?? query.q });
    const start: RankedPosition | null = after && [after[0], after[1]];
    const rank = (q: string) =>
      rankObjects(tx, found, parseQuery(q) ?? [], { after: start, limit: query.limit + 1 });
    let ranked = await rank(corrected ?? query.q);
    if (!after && ranked.length <= Math.min(maxResultsToCorrect, query.limit)) {
      corrected = await correctQuery(
        tx,
        key.projectId,
        query.q,
        ranked.length,
        objectCorpus(found),
      );
      if (corrected !== null) {
        found = { ...found, filters: { ...found.filters, q: corrected } };
        ranked = await rank(corrected);
      }
    }
    const words = parseQuery(corrected ?? query.q) ?? [];
    const [results, { total, facets, months }, orientation, stops] = await Promise.all([
      presentResults(tx, found, words, ranked.slice(0, query.limit)),
      countMatches(tx, found, {
        total: wantsTotal(call),
        facets: include?.includes('facets') ?? false,
        months: include?.includes('months') ?? false,
      }),
      include?.includes('facets') && pictures ? countOrientations(tx, found) : null,
      include?.includes('stops') ? readRankedStops(tx, found, words) : null,
    ]);
    const reply = await page(call, ranked, {
      present: ({ id }) => id,
      position: ({ id, score }) => [score, id, corrected],
      count: () => total,
    });
    return {
      ...reply,
      body: {
        ...reply.body,
        data: results,
        ...(facets && { facets: { ...facets, ...(orientation && { orientation }) } }),
        ...(months && { months }),
        ...(stops && {
          stops: writeStops(call, stops, ({ position, id }) => [position, id, corrected]),
        }),
        ...(corrected !== null && { mended_query: corrected }),
      },
    };
  },
});

/**
 * The filters that only images have; undefined without any.
 * @throws Problem 400 for an invalid filter, or 403 without the right to read images
 */
function readImageFilters(
  key: Identity,
  query: Static<typeof SearchQuery>,
): Omit<ImageFilters, 'q'> | undefined {
  const given = Object.entries(query).filter(
    ([name, value]) => name in onlyImageFilters && value !== undefined,
  );
  const [first] = given;
  if (!first) return undefined;
  requireAdditionalScopes(key, `\`${first[0]}\``, ['images:read']);
  const filters: Omit<ImageFilters, 'q'> = Object.fromEntries(given);
  rejectFilterFaults(imageFilterFaults(filters));
  return filters;
}

/** Whether only pictures are searched, or everything else. Both kinds are everything. */
function picturesOf(kinds: Static<typeof SearchQuery>['kind']): boolean | undefined {
  return kinds?.length === 1 ? kinds[0] === 'image' : undefined;
}

export const searchRoutes = [search];
