import { type Static, Type } from 'typebox';
import { reviewableOperations } from '../operations.ts';
import { auditEvent, domainEvent, strictOptions } from './event-type.ts';

const operationFields = {
  job_id: Type.String(),
  operation_index: Type.Integer({ minimum: 0 }),
  op: Type.Enum([...reviewableOperations]),
};
const operationExample: Static<ReturnType<typeof Type.Object<typeof operationFields>>> = {
  job_id: 'job_01m7gtek0sx6hv4x5fqk2v9d3e',
  operation_index: 1,
  op: 'redact_pii',
};
const counts = Type.Object(
  {
    pending: Type.Integer({ minimum: 0 }),
    accepted: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 }),
    added: Type.Integer({ minimum: 0 }),
  },
  strictOptions,
);
const reviewEnd = Type.Object({ ...operationFields, counts }, strictOptions);

/** Reviews of document jobs by people. Findings are counted, but never included. */
export const reviewEvents = {
  'documents.review.requested': domainEvent(
    'review',
    'An operation waits for a person to decide about its findings.',
    Type.Object(
      { ...operationFields, source_object_id: Type.String(), counts, expires_at: Type.String() },
      strictOptions,
    ),
    {
      ...operationExample,
      source_object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
      counts: { pending: 7, accepted: 0, rejected: 0, added: 0 },
      expires_at: '2026-03-16T10:15:00.000Z',
    },
  ),
  'documents.review.claimed': domainEvent(
    'review',
    'A reviewer took a review. Renewals are not recorded.',
    Type.Object({ ...operationFields, claimed_until: Type.String() }, strictOptions),
    { ...operationExample, claimed_until: '2026-03-02T10:45:00.000Z' },
  ),
  'documents.review.released': domainEvent(
    'review',
    'A reviewer released a review for others.',
    Type.Object(operationFields, strictOptions),
    operationExample,
  ),
  'documents.review.submitted': domainEvent(
    'review',
    'A review was submitted, and the operation continues.',
    reviewEnd,
    { ...operationExample, counts: { pending: 0, accepted: 6, rejected: 1, added: 2 } },
  ),
  'documents.review.rejected': domainEvent(
    'review',
    'A review was rejected, and the operation failed.',
    reviewEnd,
    { ...operationExample, counts: { pending: 7, accepted: 0, rejected: 0, added: 0 } },
  ),
  'documents.review.expired': domainEvent(
    'review',
    'A review was not submitted in time, and the operation failed.',
    reviewEnd,
    { ...operationExample, counts: { pending: 7, accepted: 0, rejected: 0, added: 0 } },
  ),
  'documents.review.decided': auditEvent(
    'review',
    'A reviewer decided about findings, added or removed some. A request that adds some and accepts others has two entries.',
    Type.Object(
      {
        job_id: Type.String(),
        decision: Type.Enum(['accepted', 'rejected', 'reset', 'added', 'removed']),
        findings: Type.Integer({ minimum: 0 }),
        by_type: Type.Array(
          Type.Object(
            { type: Type.String(), findings: Type.Integer({ minimum: 0 }) },
            strictOptions,
          ),
        ),
      },
      strictOptions,
    ),
    {
      job_id: 'job_01m7gtek0sx6hv4x5fqk2v9d3e',
      decision: 'rejected',
      findings: 2,
      by_type: [{ type: 'LOCATION', findings: 2 }],
    },
  ),
} as const;
