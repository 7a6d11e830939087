import {
  FindingDecisions,
  FindingQuery,
  FindingRecord,
  FindingsAdded,
  FindingsChanged,
  NewFinding,
} from '@scriptorium/contracts/wire/reviews';
import { listSchema } from '@scriptorium/contracts/wire/shapes';
import { addFindings, findingsById } from '../../../jobs/reviews/add.ts';
import { requireClaim, requireFindings } from '../../../jobs/reviews/claims.ts';
import { decideFindings, removeFinding } from '../../../jobs/reviews/decide.ts';
import { locatePlaces } from '../../../jobs/reviews/locate.ts';
import { presentFinding } from '../../../jobs/reviews/present.ts';
import { lockReview } from '../../../jobs/reviews/queries.ts';
import { countFindings, findReview, listFindings } from '../../../jobs/reviews/read.ts';
import { decideAction, enforce } from '../../../policies/enforce.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';
import { created, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { page, pageStart } from '../../requests/cursor.ts';
import { mayReadPii, readerOf } from '../jobs/start.ts';
import { tag } from './read.ts';
import { readChangedReview, sealOf } from './review-call.ts';

const list = route({
  method: 'GET',
  path: '/v1/documents/reviews/{id}/findings',
  operationId: 'listFindings',
  tag,
  summary: 'List the findings of a review by page.',
  description:
    'Findings are kept encrypted for 30 days after the review has ended; after that, the list is empty, and only the `counts` of the review remain.',
  scopes: ['documents:read'],
  work: 'search',
  writes: true,
  params: { id: 'review' },
  query: FindingQuery,
  responses: { 200: listSchema(FindingRecord) },
  load: (call) => findReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, resource: review } = call;
    const { limit, cursor: _cursor, include: _include, ...filters } = call.query;
    const from = pageStart(call);
    const mayReadSource = mayReadPii(call.key) && (await isReadAllowed(call));
    const rows = await listFindings(tx, review, filters, from);
    const reader = { ...readerOf(call), mayReadSource };
    return page(call, rows, {
      present: (row) => presentFinding(row, review, reader),
      position: (row) => [row.page ?? 0, row.id],
      count: () => countFindings(tx, review, filters),
    });
  },
});

/** Whether policies allow reading the source of a review. */
async function isReadAllowed({
  tx,
  origin,
  resource,
}: {
  tx: Parameters<typeof decideAction>[0];
  origin: Parameters<typeof decideAction>[1];
  resource: { sourceObjectId: string };
}): Promise<boolean> {
  const objectId = resource.sourceObjectId;
  return (await decideAction(tx, origin, { action: 'read', objectId })).decision === 'allow';
}

const decide = route({
  method: 'PATCH',
  path: '/v1/documents/reviews/{id}/findings',
  operationId: 'decideFindings',
  tag,
  summary: 'Accept, reject or reset findings.',
  description:
    'Selects findings by `ids` or by `filter`, which matches findings of the detector only. `type` also changes their type. The change is atomic. Rejected findings stay in the file, so `reject` requires the `pii:read` scope.',
  scopes: ['documents:review'],
  params: { id: 'review' },
  body: FindingDecisions,
  responses: { 200: FindingsChanged },
  secretResponse: true,
  problems: ['state_conflict', 'claimed', 'reference_not_found'],
  load: (call) => lockReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { body, resource } = call;
    // Rejected values stay in the file, so only callers who can see them may decide that.
    if (body.decision === 'reject')
      requireAdditionalScopes(call.key, '`decision: reject`', ['pii:read']);
    const decision = { ...body, ...sealOf(call) };
    const changed = await decideFindings(call.tx, call.origin, resource, decision);
    const review = await readChangedReview(call);
    return ok({ changed, review }, { version: review.version });
  },
});

const add = route({
  method: 'POST',
  path: '/v1/documents/reviews/{id}/findings',
  operationId: 'addFindings',
  tag,
  summary: 'Add findings: areas, words, or all occurrences of a text.',
  description:
    'Added findings are accepted. Areas and words are removed where they are; with `everywhere`, the text is also verified to be absent from the whole output. `text` requires the `pii:read` scope, and policies must allow reading the source.',
  scopes: ['documents:review'],
  work: 'heavy',
  params: { id: 'review' },
  body: NewFinding,
  responses: { 201: FindingsAdded },
  secretResponse: true,
  problems: ['state_conflict', 'claimed', 'text_not_found', 'policy_denied'],
  load: (call) => lockReview(call.tx, call.key.projectId, call.params.id),
  prepare: async (call) => {
    const { resource, body, key, origin } = call;
    if (body.text !== undefined) {
      // Whether and where the text occurs may be known only to callers who may read the source.
      requireAdditionalScopes(key, '`text`', ['pii:read']);
      const attempt = { action: 'read', objectId: resource.sourceObjectId } as const;
      await call.inProject((tx) => enforce(tx, origin, attempt));
    }
    requireFindings(resource);
    requireClaim(resource, origin.actor);
    return locatePlaces((work) => call.inProject(work), sealOf(call), resource, body);
  },
  handler: async (call) => {
    const { tx, body, resource, prepared } = call;
    const options = { ...body, ...sealOf(call) };
    const ids = await addFindings(tx, call.origin, resource, prepared, options);
    const found = await findingsById(tx, resource, ids);
    const mayReadSource = mayReadPii(call.key) && (await isReadAllowed(call));
    const reader = { ...readerOf(call), mayReadSource };
    const data = found.map((one) => presentFinding(one, resource, reader));
    const review = await readChangedReview(call);
    const location = `/v1/documents/reviews/${resource.id}/findings`;
    return created({ data, review }, location, { version: review.version });
  },
});

const remove = route({
  method: 'DELETE',
  path: '/v1/documents/reviews/{id}/findings/{finding_id}',
  operationId: 'removeFinding',
  tag,
  summary: 'Delete a finding that a person added.',
  description: 'Deleting a finding that someone else added requires the `pii:read` scope.',
  scopes: ['documents:review'],
  params: { id: 'review', finding_id: 'finding' },
  responses: { 200: FindingsChanged },
  secretResponse: true,
  problems: ['state_conflict', 'claimed'],
  load: (call) => lockReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, origin, resource, params, key } = call;
    await removeFinding(tx, origin, resource, params.finding_id, mayReadPii(key));
    const review = await readChangedReview(call);
    return ok({ changed: 1, review }, { version: review.version });
  },
});

export const findingRoutes = [list, decide, add, remove];
