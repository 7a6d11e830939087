import { jobStates, pageStates } from '@scriptorium/contracts/jobs';
import { operationNames } from '@scriptorium/contracts/operations';
import { Id, Time } from '@scriptorium/contracts/wire/common';
import { JobRecord, jobSorts, PageRecord, PageStates } from '@scriptorium/contracts/wire/jobs';
import {
  commaList,
  idFilter,
  listQuery,
  listSchema,
  sortQuery,
  strictObject,
} from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import type { Identity } from '../../../access/authenticate.ts';
import { commitWith, type Tx } from '../../../db/transaction.ts';
import { retryJob } from '../../../jobs/creating/retry.ts';
import { cancelLockedJob } from '../../../jobs/ending/cancel.ts';
import { lockJob } from '../../../jobs/load.ts';
import { countJobs, findJobVersion, listJobs, readJob } from '../../../jobs/reading/jobs.ts';
import { countPages, listPages, readPageStates } from '../../../jobs/reading/pages.ts';
import { enforce } from '../../../policies/enforce.ts';
import { watchResource } from '../../events/watch.ts';
import { ok } from '../../frame/reply.ts';
import { route, streamRoute } from '../../frame/route.ts';
import { page, pageStart } from '../../requests/cursor.ts';
import { certificateRoutes } from './certificate.ts';
import { acceptedJob, mayReadPii, readerOf, startRoutes } from './start.ts';

const tag = 'Documents';
/** A page may have thousands of words. */
const wordPages = 10;

const list = route({
  method: 'GET',
  path: '/v1/documents/jobs',
  operationId: 'listJobs',
  tag,
  summary: 'List the jobs of the project, by default newest first.',
  scopes: ['documents:read'],
  work: 'search',
  query: strictObject({
    ...listQuery(),
    id: idFilter('job', 'jobs'),
    state: Type.Optional(commaList(Type.Enum([...jobStates]))),
    op: Type.Optional(
      commaList(Type.Enum(operationNames), 'Only jobs with one of these operations.'),
    ),
    source_object_id: Type.Optional(Id('object')),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
    sort: sortQuery(jobSorts, '-created_at'),
  }),
  responses: { 200: listSchema(JobRecord) },
  handler: async (call) => {
    const { projectId } = call.key;
    const {
      id: ids,
      sort,
      state,
      op,
      source_object_id,
      created_after,
      created_before,
    } = call.query;
    const filters = {
      ids,
      state,
      op,
      sourceObjectId: source_object_id,
      createdAfter: created_after,
      createdBefore: created_before,
    };
    const rows = await listJobs(call.tx, projectId, filters, {
      sort,
      ...pageStart(call),
      reader: readerOf(call),
    });
    return page(call, rows, {
      present: ({ row }) => row,
      position: ({ position }) => position,
      count: () => countJobs(call.tx, projectId, filters),
    });
  },
});

const get = streamRoute({
  method: 'GET',
  path: '/v1/documents/jobs/{id}',
  operationId: 'getJob',
  tag,
  summary: 'Get a job with its progress.',
  description:
    'While the job runs, `Retry-After` says when to poll again. `Prefer: wait=10` delays the response until the job changes, up to 10 seconds. `Accept: text/event-stream` streams every change until the job ends.',
  scopes: ['documents:read'],
  params: { id: 'job' },
  responses: { 200: JobRecord },
  produces: ['application/json', 'text/event-stream'],
  concurrency: 200,
  load: (call) => readJob(call.tx, call.key.projectId, call.params.id, readerOf(call)),
  handler: (call) => {
    const { deps, params } = call;
    const read = (tx: Tx, key: Identity) =>
      readJob(tx, key.projectId, params.id, readerOf({ key, deps }));
    return watchResource(Object.assign(call, { noun: 'job', read }));
  },
});

const pages = route({
  method: 'GET',
  path: '/v1/documents/jobs/{id}/pages',
  operationId: 'listJobPages',
  tag,
  summary: 'List the results of each operation on each page.',
  description:
    'Values found by `redact_pii`, and the text of earlier operations, require the `pii:read` scope.',
  scopes: ['documents:read'],
  work: 'search',
  writes: true,
  params: { id: 'job' },
  query: strictObject({
    ...listQuery(),
    include: Type.Optional(
      commaList(
        Type.Enum(['total', 'words']),
        `\`total\` adds the number of all matches, which takes extra time. \`words\` adds each word with its box and reduces \`limit\` to ${wordPages}.`,
      ),
    ),
    state: Type.Optional(commaList(Type.Enum([...pageStates]))),
    op: Type.Optional(commaList(Type.Enum(operationNames))),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999 })),
  }),
  responses: { 200: listSchema(PageRecord) },
  problems: ['policy_denied'],
  load: (call) => findJobVersion(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { projectId } = call.key;
    const { id } = call.params;
    const { state, op, page: number } = call.query;
    const withWords = call.query.include?.includes('words') ?? false;
    const limit = Math.min(call.query.limit, withWords ? wordPages : call.query.limit);
    const objectId = call.resource.sourceObjectId;
    await enforce(call.tx, call.origin, { action: 'read', objectId });
    const filters = { state, op, page: number };
    const rows = await listPages(call.tx, projectId, id, filters, {
      ...pageStart(call),
      reader: {
        seal: { unseal: call.deps.seal.open },
        sourceObjectId: objectId,
        mayReadPii: mayReadPii(call.key),
        withWords,
      },
    });
    return page({ ...call, query: { ...call.query, limit } }, rows, {
      present: (row) => row,
      position: (row) => [row.operation_index, row.page],
      count: () => countPages(call.tx, projectId, id, filters),
    });
  },
});

const states = route({
  method: 'GET',
  path: '/v1/documents/jobs/{id}/page-states',
  operationId: 'getJobPageStates',
  tag,
  summary: 'Get the state of every page in every operation.',
  description:
    'Returns runs of consecutive pages in the same state, so that the response stays small for a job of 2,000 pages. An operation that has not started has no runs.',
  scopes: ['documents:read'],
  params: { id: 'job' },
  responses: { 200: PageStates },
  load: (call) => findJobVersion(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => ok(await readPageStates(call.tx, call.key.projectId, call.params.id)),
});

const cancel = route({
  method: 'POST',
  path: '/v1/documents/jobs/{id}/cancel',
  operationId: 'cancelJob',
  tag,
  summary: 'Cancel a job.',
  description: 'Returns 202, or 200 if cancellation was already requested.',
  scopes: ['documents:write'],
  params: { id: 'job' },
  responses: { 200: JobRecord, 202: JobRecord },
  secretResponse: true,
  problems: ['state_conflict'],
  load: (call) => lockJob(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, key, params, resource } = call;
    const isAccepted = await cancelLockedJob(tx, call.origin, resource);
    const read = () => readJob(tx, key.projectId, params.id, readerOf(call));
    const job = (await commitWith(tx, read))!;
    return isAccepted ? acceptedJob(job) : ok(job, { version: job.version });
  },
});

const retry = route({
  method: 'POST',
  path: '/v1/documents/jobs/{id}/retry',
  operationId: 'retryJob',
  tag,
  summary: 'Retry the failed pages of a job, or all pages, as a new job.',
  scopes: ['documents:write'],
  params: { id: 'job' },
  body: strictObject({
    scope: Type.Optional(
      Type.Enum(['failed_pages', 'all'], {
        default: 'failed_pages',
        description: '`failed_pages` keeps the results of pages that succeeded.',
      }),
    ),
  }),
  responses: { 202: JobRecord },
  secretResponse: true,
  problems: [
    'quota_exceeded',
    'state_conflict',
    'reference_not_found',
    'policy_denied',
    'results_expired',
    'pages_out_of_range',
  ],
  load: (call) => findJobVersion(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { id } = call.params;
    const scope = call.body.scope ?? 'failed_pages';
    const options = { scope, seal: call.deps.seal.seal, ...readerOf(call) };
    return acceptedJob(await retryJob(call.tx, call.origin, id, options));
  },
});

export const jobRoutes = [
  ...startRoutes,
  list,
  get,
  pages,
  states,
  cancel,
  retry,
  ...certificateRoutes,
];
