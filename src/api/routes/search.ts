import { grants } from '@scriptorium/contracts/scopes';
import { SearchQuery, SearchResults } from '@scriptorium/contracts/wire/library/search';
import type { Static } from 'typebox';
import { noWordsCode, termFaults } from '../../library/filter-faults.ts';
import { bboxFault, parseBbox } from '../../library/images/places.ts';
import { parseQuery } from '../../library/images/search/query-language.ts';
import { type ObjectFilters, prepareSearch } from '../../library/objects/conditions.ts';
import { countMatches } from '../../library/objects/counts.ts';
import { objectCorpus } from '../../library/search/corpus.ts';
import { correctQuery, maxResultsToCorrect } from '../../library/search/correct-query.ts';
import { type RankedPosition, rankObjects, readRankedStops } from '../../library/search/queries.ts';
import { presentResults } from '../../library/search/results.ts';
import { parseTagFilters } from '../../library/tag-filter.ts';
import { requireAdditionalScopes } from '../frame/admit.ts';
import { route } from '../frame/route.ts';
import { page, readCursor, wantsTotal, writeStops } from '../requests/cursor.ts';
import { rejectFilterFaults } from '../requests/filters.ts';

const search = route({
  method: 'GET',
  path: '/v1/search',
  operationId: 'search',
  tag: 'Search',
  summary: 'Search objects and images in one ranking, best match first.',
  description:
    'A picture is one result. Without the `images:read` scope, pictures are objects, and their titles, descriptions and cameras are not searched. Text that a policy does not let this caller read now neither matches nor appears; where a policy requires redaction, the redacted text is searched and shown. The title ranks highest, then filename and tags, description and alternative text, metadata and text. The newest 10,000 matches are ranked, the newest 100 also by their text. If a search has at most two results and nothing contains one of its words, the word is corrected to a similar word of the project, and `mended_query` has the corrected query.',
  scopes: ['objects:read'],
  work: 'search',
  query: SearchQuery,
  responses: { 200: SearchResults },
  handler: async (call) => {
    const { key, tx, query } = call;
    const { include } = query;
    checkQuery(query, (purpose) => requireAdditionalScopes(key, purpose, ['images:read']));
    // The cursor contains the values of `position` below.
    const after = readCursor(call) as [...RankedPosition, corrected: string | null] | null;
    let corrected = after?.[2] ?? null;
    const caller = { ...call.origin, readsImages: grants(key.scopes, 'images:read') };
    let found = await prepareSearch(tx, caller, filtersOf(query, corrected ?? query.q));
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
    const [results, { total, facets, months }, stops] = await Promise.all([
      presentResults(tx, found, words, ranked.slice(0, query.limit)),
      countMatches(tx, found, {
        total: wantsTotal(call),
        facets: include?.includes('facets') ?? false,
        months: include?.includes('months') ?? false,
      }),
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
        ...(facets && { facets }),
        ...(months && { months }),
        ...(stops && {
          stops: writeStops(call, stops, ({ position, id }) => [position, id, corrected]),
        }),
        ...(corrected !== null && { mended_query: corrected }),
      },
    };
  },
});

type Query = Static<typeof SearchQuery>;

/**
 * Checks what the schema does not. A search text without words is valid: it matches nothing.
 * @throws Problem 400, or 403 without the right to read images
 */
function checkQuery(query: Query, requireImages: (purpose: string) => void): void {
  rejectFilterFaults(termFaults(query).filter(({ code }) => code !== noWordsCode));
  if (query.kind?.includes('image')) requireImages('`kind=image`');
  if (query.bbox !== undefined) {
    // Otherwise a location could be found by trial and error.
    requireImages('`bbox`');
    if (!parseBbox(query.bbox)) rejectFilterFaults([{ field: 'bbox', ...bboxFault }]);
  }
}

function filtersOf(query: Query, q: string): ObjectFilters {
  const { kind } = query;
  return {
    q,
    state: query.state,
    mime: query.mime,
    tags: parseTagFilters(query.tag),
    derivedFrom: query.derived_from,
    source: query.source,
    originals: query.originals,
    bbox: query.bbox,
    // Both kinds are everything.
    pictures: kind?.length === 1 ? kind[0] === 'image' : undefined,
    createdAfter: query.created_after ? new Date(query.created_after) : undefined,
    createdBefore: query.created_before ? new Date(query.created_before) : undefined,
  };
}

export const searchRoutes = [search];
