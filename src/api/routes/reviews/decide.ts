import {
  ReviewRecord,
  ReviewRejection,
  ReviewSubmission,
} from '@scriptorium/contracts/wire/reviews';
import { claimReview, releaseReview } from '../../../jobs/reviews/claims.ts';
import { lockReview, lockReviewWithJob } from '../../../jobs/reviews/queries.ts';
import { rejectReview, submitReview } from '../../../jobs/reviews/submit.ts';
import { ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { tag } from './read.ts';
import { readChangedReview, sealOf } from './review-call.ts';

const claim = route({
  method: 'POST',
  path: '/v1/documents/reviews/{id}/claim',
  operationId: 'claimReview',
  tag,
  summary: 'Claim a review for 30 minutes, or renew the claim.',
  description:
    'While a review is claimed, others cannot change it. Every decision also claims the review.',
  scopes: ['documents:review'],
  params: { id: 'review' },
  responses: { 200: ReviewRecord },
  secretResponse: true,
  problems: ['state_conflict', 'claimed'],
  load: (call) => lockReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    await claimReview(call.tx, call.origin, call.resource);
    const review = await readChangedReview(call);
    return ok(review, { version: review.version });
  },
});

const release = route({
  method: 'POST',
  path: '/v1/documents/reviews/{id}/release',
  operationId: 'releaseReview',
  tag,
  summary: 'Release a claimed review. Its decisions stay.',
  scopes: ['documents:review'],
  params: { id: 'review' },
  responses: { 200: ReviewRecord },
  secretResponse: true,
  problems: ['state_conflict', 'claimed'],
  load: (call) => lockReview(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    await releaseReview(call.tx, call.origin, call.resource);
    const review = await readChangedReview(call);
    return ok(review, { version: review.version });
  },
});

const submit = route({
  method: 'POST',
  path: '/v1/documents/reviews/{id}/submit',
  operationId: 'submitReview',
  tag,
  summary: 'Submit a review: the operation continues with its decisions.',
  description:
    'Only accepted and added findings are removed, and the removal is verified. Rejected findings stay in the file. `If-Match` ensures that the caller has seen the latest decisions.',
  scopes: ['documents:review'],
  params: { id: 'review' },
  body: ReviewSubmission,
  responses: { 200: ReviewRecord },
  secretResponse: true,
  problems: ['state_conflict', 'claimed', 'findings_pending', 'four_eyes', 'policy_denied'],
  precondition: 'required',
  load: (call) => lockReviewWithJob(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { body } = call;
    await submitReview(call.tx, call.origin, call.resource, { ...body, ...sealOf(call) });
    const review = await readChangedReview(call);
    return ok(review, { version: review.version });
  },
});

const reject = route({
  method: 'POST',
  path: '/v1/documents/reviews/{id}/reject',
  operationId: 'rejectReview',
  tag,
  summary: 'Reject a review: the operation fails with `review_rejected`.',
  scopes: ['documents:review'],
  params: { id: 'review' },
  body: ReviewRejection,
  responses: { 200: ReviewRecord },
  secretResponse: true,
  problems: ['state_conflict', 'claimed'],
  load: (call) => lockReviewWithJob(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { reason } = call.body;
    await rejectReview(call.tx, call.origin, call.resource, { reason, ...sealOf(call) });
    const review = await readChangedReview(call);
    return ok(review, { version: review.version });
  },
});

export const decideRoutes = [claim, release, submit, reject];
