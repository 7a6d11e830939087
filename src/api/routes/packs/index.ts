import { packChanges, packDocumentStates, packStates } from '@scriptorium/contracts/packs';
import { notFound } from '@scriptorium/contracts/problems';
import { grants } from '@scriptorium/contracts/scopes';
import {
  ChunkId,
  CitationRecord,
  NewPack,
  PackChangeRecord,
  PackDocumentRecord,
  PackRecord,
  packSorts,
} from '@scriptorium/contracts/wire/packs';
import {
  commaList,
  idFilter,
  listQuery,
  listSchema,
  sortQuery,
  strictObject,
} from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import { commitWith, type Tx } from '../../../db/transaction.ts';
import { listChanges } from '../../../jobs/packs/changes.ts';
import { findCitedDocument, readCitation } from '../../../jobs/packs/citations.ts';
import { createPack, retryPack } from '../../../jobs/packs/create.ts';
import { cancelPack } from '../../../jobs/packs/end.ts';
import { findPack, lockPack } from '../../../jobs/packs/load.ts';
import {
  countPackDocuments,
  countPacks,
  listPackDocuments,
  listPacks,
  presentPackDocument,
  readPack,
} from '../../../jobs/packs/reading.ts';
import { watchResource } from '../../events/watch.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';
import { accepted, ok } from '../../frame/reply.ts';
import { route, streamRoute } from '../../frame/route.ts';
import { page, pageStart, readCursor } from '../../requests/cursor.ts';

const tag = 'Packs';

/** 202 with a pack that this transaction created or changed, and its URL. */
async function acceptedPack(tx: Tx, projectId: string, id: string) {
  const pack = (await commitWith(tx, () => readPack(tx, projectId, id)))!;
  return accepted(pack, `/v1/documents/packs/${id}`, { version: pack.version });
}

const create = route({
  method: 'POST',
  path: '/v1/documents/packs',
  operationId: 'createPack',
  tag,
  summary: 'Build a pack of documents for language models.',
  description:
    'Each document becomes text by a separate job, or by an earlier job with the same bytes and options. The output is a ZIP file with a manifest, a Markdown file per document, and the chunks of all documents with what is needed to cite them. The same documents and options produce the same bytes. With `refreshes`, `changes.json` lists the documents that were added, changed or removed since that pack. A `filter` requires the `objects:read` scope, a `collection_id` also `collections:read`. Policies are evaluated for each document; the manifest lists the documents that are left out.',
  scopes: ['documents:write'],
  work: 'heavy',
  body: NewPack,
  responses: { 202: PackRecord },
  problems: ['reference_not_found', 'state_conflict'],
  handler: async ({ tx, origin, key, body }) => {
    const { filter, collection_id: collectionId } = body.source;
    // The contents of a pack reveal the results of a search, or the contents of a collection.
    if (filter) requireAdditionalScopes(key, '`filter`', ['objects:read']);
    if (collectionId) {
      requireAdditionalScopes(key, '`collection_id`', ['collections:read', 'objects:read']);
    }
    const readsImages = grants(key.scopes, 'images:read');
    return acceptedPack(tx, key.projectId, await createPack(tx, origin, body, readsImages));
  },
});

const list = route({
  method: 'GET',
  path: '/v1/documents/packs',
  operationId: 'listPacks',
  tag,
  summary: 'List the packs of the project, by default newest first.',
  scopes: ['documents:read'],
  work: 'search',
  query: strictObject({
    ...listQuery(),
    id: idFilter('pack', 'packs'),
    state: Type.Optional(commaList(Type.Enum([...packStates]))),
    sort: sortQuery(packSorts, '-created_at'),
  }),
  responses: { 200: listSchema(PackRecord) },
  handler: async (call) => {
    const { projectId } = call.key;
    const { id: ids, sort, state } = call.query;
    const filters = { ids, state };
    const from = { sort, ...pageStart(call) };
    const rows = await listPacks(call.tx, projectId, filters, from);
    return page(call, rows, {
      present: ({ row }) => row,
      position: ({ position }) => position,
      count: () => countPacks(call.tx, projectId, filters),
    });
  },
});

const get = streamRoute({
  method: 'GET',
  path: '/v1/documents/packs/{id}',
  operationId: 'getPack',
  tag,
  summary: 'Get a pack with its progress.',
  description:
    'While the pack is built, `Retry-After` says when to poll again. `Prefer: wait=10` delays the response until the pack changes, up to 10 seconds. `Accept: text/event-stream` streams every change until the pack ends.',
  scopes: ['documents:read'],
  params: { id: 'pack' },
  responses: { 200: PackRecord },
  produces: ['application/json', 'text/event-stream'],
  concurrency: 200,
  load: (call) => readPack(call.tx, call.key.projectId, call.params.id),
  handler: (call) => {
    const read = (tx: Tx) => readPack(tx, call.key.projectId, call.params.id);
    return watchResource(Object.assign(call, { noun: 'pack', read }));
  },
});

const documents = route({
  method: 'GET',
  path: '/v1/documents/packs/{id}/documents',
  operationId: 'listPackDocuments',
  tag,
  summary: 'List the documents of a pack, by filename.',
  scopes: ['documents:read'],
  work: 'search',
  params: { id: 'pack' },
  query: strictObject({
    ...listQuery(),
    state: Type.Optional(commaList(Type.Enum([...packDocumentStates]))),
  }),
  responses: { 200: listSchema(PackDocumentRecord) },
  load: (call) => findPack(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, key, params, resource: pack } = call;
    const { limit, state } = call.query;
    const [after = 0] = readCursor(call) ?? [];
    const from = { after: Number(after), limit: limit + 1 };
    const rows = await listPackDocuments(tx, key.projectId, params.id, state, from);
    return page(call, rows, {
      present: (row) => presentPackDocument(pack, row),
      position: ({ position }) => [position],
      count: () => countPackDocuments(tx, key.projectId, params.id, state),
    });
  },
});

const changes = route({
  method: 'GET',
  path: '/v1/documents/packs/{id}/changes',
  operationId: 'listPackChanges',
  tag,
  summary: 'List the changes since the pack that a pack refreshes.',
  description:
    'The content of `changes.json`, by the filenames of the documents: those that were added, changed and removed, in this order.',
  scopes: ['documents:read'],
  work: 'heavy',
  params: { id: 'pack' },
  query: strictObject({
    ...listQuery(),
    change: Type.Optional(commaList(Type.Enum([...packChanges]))),
  }),
  responses: { 200: listSchema(PackChangeRecord) },
  problems: ['state_conflict'],
  load: (call) => findPack(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { limit, change } = call.query;
    const [after = 0] = readCursor(call) ?? [];
    const start = Number(after);
    const all = await listChanges(call.tx, call.resource, change);
    const rows = all.slice(start, start + limit + 1).map((row, at) => ({ row, at }));
    return page(call, rows, {
      present: ({ row }) => row,
      position: ({ at }) => [start + at + 1],
      count: () => all.length,
    });
  },
});

const cancel = route({
  method: 'POST',
  path: '/v1/documents/packs/{id}/cancel',
  operationId: 'cancelPack',
  tag,
  summary: 'Cancel a pack, and the jobs that were started for it.',
  description: 'Returns 202, or 200 if cancellation was already requested.',
  scopes: ['documents:write'],
  params: { id: 'pack' },
  responses: { 200: PackRecord, 202: PackRecord },
  problems: ['state_conflict'],
  load: (call) => lockPack(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, key, params, resource }) => {
    const isAccepted = await cancelPack(tx, origin, resource);
    const reply = await acceptedPack(tx, key.projectId, params.id);
    return isAccepted ? reply : ok(reply.body, { version: reply.body.version });
  },
});

const retry = route({
  method: 'POST',
  path: '/v1/documents/packs/{id}/retry',
  operationId: 'retryPack',
  tag,
  summary: 'Retry an incomplete pack as a new pack.',
  description:
    'The new pack has the same documents and options. Documents that succeeded are not processed again.',
  scopes: ['documents:write'],
  params: { id: 'pack' },
  responses: { 202: PackRecord },
  problems: ['state_conflict'],
  load: (call) => findPack(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, key, resource }) => {
    return acceptedPack(tx, key.projectId, await retryPack(tx, origin, resource));
  },
});

const cite = route({
  method: 'GET',
  path: '/v1/documents/citations/{id}',
  operationId: 'getCitation',
  tag,
  summary: 'Get the object, pages, boxes and text of a chunk.',
  description:
    'Resolves the `id` of a chunk in `chunks.jsonl` of a pack. Policies for reading apply. `images` has the URL of a picture of each page with the text marked; in a redacted pack, of the redaction.',
  scopes: ['documents:read'],
  writes: true,
  params: { id: ChunkId },
  responses: { 200: CitationRecord },
  problems: ['policy_denied'],
  load: (call) => findCitedDocument(call.tx, call.origin, call.params.id),
  handler: async ({ deps, key, params, resource }) => {
    const found = await readCitation(deps.storage, key.projectId, params.id, resource);
    if (!found) throw notFound('chunk', params.id);
    return ok(found);
  },
});

export const packRoutes = [create, list, get, documents, changes, cancel, retry, cite];
