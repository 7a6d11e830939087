import { invalidParameter } from '@scriptorium/contracts/problems';
import {
  ReviewPageRecord,
  ReviewQuery,
  ReviewRecord,
  ReviewStats,
  ReviewStatsQuery,
  ReviewTextQuery,
  ReviewTextRecord,
} from '@scriptorium/contracts/wire/reviews';
import { listQuery, listSchema, strictObject } from '@scriptorium/contracts/wire/shapes';
import { presentReview } from '../../../jobs/reviews/present.ts';
import {
  countReviews,
  findReview,
  listReviewPages,
  listReviews,
} from '../../../jobs/reviews/read.ts';
import { readStats } from '../../../jobs/reviews/stats.ts';
import { countPieces, openPiece, readPieces } from '../../../jobs/reviews/text/stored.ts';
import { enforce } from '../../../policies/enforce.ts';
import { ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { page, pageStart, readCursor } from '../../requests/cursor.ts';
import { readerOf } from '../jobs/start.ts';
import { sealOf } from './review-call.ts';

export const tag = 'Human review';

const list = route({
  method: 'GET',
  path: '/v1/documents/reviews',
  operationId: 'listReviews',
  tag,
  summary: 'List the reviews of the project, by default oldest first.',
  scopes: ['documents:read'],
  work: 'search',
  query: ReviewQuery,
  responses: { 200: listSchema(ReviewRecord) },
  handler: async (call) => {
    const { projectId } = call.key;
    const { id: ids, sort, state, op, claimed_by: claimedBy, job_id: jobId } = call.query;
    const filters = { ids, state, op, claimedBy, jobId };
    const from = { sort, ...pageStart(call) };
    const rows = await listReviews(call.tx, projectId, filters, from);
    return page(call, rows, {
      present: ({ row }) => presentReview(row, readerOf(call)),
      position: ({ position }) => position,
      count: () => countReviews(call.tx, projectId, filters),
    });
  },
});

const get = route({
  method: 'GET',
  path: '/v1/documents/reviews/{id}',
  operationId: 'getReview',
  tag,
  summary: 'Get a review.',
  scopes: ['documents:read'],
  params: { id: 'review' },
  responses: { 200: ReviewRecord },
  load: (call) => findReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { resource } = call;
    return ok(presentReview(resource, readerOf(call)), { version: resource.version });
  },
});

const pages = route({
  method: 'GET',
  path: '/v1/documents/reviews/{id}/pages',
  operationId: 'listReviewPages',
  tag,
  summary: 'List the pages of a review with their sizes and the number of findings by decision.',
  scopes: ['documents:read'],
  work: 'search',
  params: { id: 'review' },
  query: strictObject(listQuery()),
  responses: { 200: listSchema(ReviewPageRecord) },
  load: (call) => findReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const from = pageStart(call);
    const rows = await listReviewPages(call.tx, call.resource, from);
    return page(call, rows, {
      present: (row) => row,
      position: (row) => [row.page],
      count: () => call.resource.pages,
    });
  },
});

const text = route({
  method: 'GET',
  path: '/v1/documents/reviews/{id}/text',
  operationId: 'listReviewText',
  tag,
  summary: 'List the text of a file without pages, in pieces.',
  description:
    'The text that findings refer to by their `range`. It is stored encrypted for 30 days after the review has ended; after that, the list is empty. For reviews of pages, it is always empty.',
  scopes: ['documents:read', 'pii:read'],
  work: 'search',
  writes: true,
  params: { id: 'review' },
  query: ReviewTextQuery,
  responses: { 200: listSchema(ReviewTextRecord) },
  problems: ['policy_denied'],
  load: (call) => findReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, origin, resource: review, query } = call;
    if (query.piece !== undefined && query.page === undefined) {
      const detail = 'It requires `page`.';
      throw invalidParameter({ parameter: 'piece', code: 'not_applicable', detail });
    }
    await enforce(tx, origin, { action: 'read', objectId: review.sourceObjectId });
    const first: [number, number] = [query.page ?? 0, (query.piece ?? 0) - 1];
    const [afterPage, afterPiece] = readCursor(call) ?? first;
    const after = [Number(afterPage), Number(afterPiece)] as const;
    const filter = { page: query.page ?? null };
    const rows = await readPieces(tx, review, { ...filter, after, limit: query.limit + 1 });
    return page(call, rows, {
      present: (row) => openPiece(sealOf(call), review, row),
      position: (row) => [row.page, row.piece],
      count: () => countPieces(tx, review, filter),
    });
  },
});

const stats = route({
  method: 'GET',
  path: '/v1/documents/reviews/stats',
  operationId: 'getReviewStats',
  tag,
  summary: 'Get statistics about review decisions, by type and score.',
  description:
    'Counts the findings of submitted reviews, even after the reviews have been deleted. Returns, for each type, the number of correct findings by tenth of the score, and the errors that each threshold would have caused.',
  scopes: ['documents:read'],
  work: 'search',
  query: ReviewStatsQuery,
  responses: { 200: ReviewStats },
  handler: async (call) => ok(await readStats(call.tx, call.key.projectId, call.query)),
});

export const readRoutes = [list, stats, get, pages, text];
