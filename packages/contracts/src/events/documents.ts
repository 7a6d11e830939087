import { type Static, Type } from 'typebox';
import { jobStates } from '../jobs.ts';
import { operationNames } from '../operations.ts';
import { domainEvent, failureSchema, noData, strictOptions } from './event-type.ts';

const jobFacts = Type.Object(
  {
    source_object_id: Type.String(),
    operations: Type.Array(Type.Enum(operationNames)),
    retry_of: Type.Union([Type.String(), Type.Null()]),
  },
  strictOptions,
);
const jobExample: Static<typeof jobFacts> = {
  source_object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
  operations: ['ocr'],
  retry_of: null,
};
const pageCounts = {
  pages_total: Type.Integer({ minimum: 0 }),
  pages_completed: Type.Integer({ minimum: 0 }),
  pages_failed: Type.Integer({ minimum: 0 }),
};
const jobEnd = Type.Object(
  {
    state: Type.Enum([...jobStates]),
    ...pageCounts,
    outputs: Type.Array(
      Type.Object({ object_id: Type.String(), kind: Type.String() }, strictOptions),
    ),
    error: Type.Union([failureSchema, Type.Null()]),
  },
  strictOptions,
);
const jobEndExample: Static<typeof jobEnd> = {
  state: 'succeeded',
  pages_total: 12,
  pages_completed: 12,
  pages_failed: 0,
  outputs: [{ object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e', kind: 'searchable_pdf' }],
  error: null,
};

/** Document jobs. */
export const documentEvents = {
  'documents.job.created': domainEvent('job', 'A document job was accepted.', jobFacts, jobExample),
  'documents.job.started': domainEvent(
    'job',
    'A worker opened the source of the job.',
    jobFacts,
    jobExample,
  ),
  'documents.job.progressed': domainEvent(
    'job',
    'The progress of a job changed by a whole percent. At most 100 events per job.',
    Type.Object(
      { percent: Type.Integer({ minimum: 0, maximum: 100 }), ...pageCounts },
      strictOptions,
    ),
    { percent: 42, pages_total: 12, pages_completed: 5, pages_failed: 0 },
  ),
  'documents.job.operation_finished': domainEvent(
    'job',
    'One operation of a job ended.',
    Type.Object(
      {
        index: Type.Integer({ minimum: 0 }),
        op: Type.Enum(operationNames),
        state: Type.String(),
        pages_total: Type.Integer({ minimum: 0 }),
        pages_succeeded: Type.Integer({ minimum: 0 }),
        pages_failed: Type.Integer({ minimum: 0 }),
        pages_skipped: Type.Integer({ minimum: 0 }),
      },
      strictOptions,
    ),
    {
      index: 0,
      op: 'ocr',
      state: 'succeeded',
      pages_total: 12,
      pages_succeeded: 11,
      pages_failed: 0,
      pages_skipped: 1,
    },
  ),
  'documents.job.cancel_requested': domainEvent(
    'job',
    'Cancellation of a job was requested.',
    noData,
    {},
  ),
  'documents.job.cancelled': domainEvent('job', 'A job was cancelled.', jobEnd, {
    ...jobEndExample,
    state: 'cancelled',
    outputs: [],
  }),
  'documents.job.succeeded': domainEvent(
    'job',
    'A job succeeded on every page.',
    jobEnd,
    jobEndExample,
  ),
  'documents.job.partially_succeeded': domainEvent(
    'job',
    'A job ended with results, but some pages failed.',
    jobEnd,
    { ...jobEndExample, state: 'partially_succeeded', pages_failed: 1 },
  ),
  'documents.job.failed': domainEvent('job', 'A job ended without a result.', jobEnd, {
    ...jobEndExample,
    state: 'failed',
    outputs: [],
    error: { code: 'damaged', message: 'The file cannot be opened.', retryable: false },
  }),
  'documents.job.retried': domainEvent(
    'job',
    'A new job was created to retry this one.',
    Type.Object(
      { new_job_id: Type.String(), scope: Type.Enum(['failed_pages', 'all']) },
      strictOptions,
    ),
    { new_job_id: 'job_01m7gtek0sx6hv4x5fqk2v9d3e', scope: 'failed_pages' },
  ),
  'documents.job_page.failed': domainEvent(
    'job',
    'A page failed. The job continues without it.',
    Type.Object(
      {
        page: Type.Integer({ minimum: 1 }),
        operation_index: Type.Integer({ minimum: 0 }),
        op: Type.Enum(operationNames),
        error: failureSchema,
      },
      strictOptions,
    ),
    {
      page: 7,
      operation_index: 0,
      op: 'ocr',
      error: { code: 'deadline_exceeded', message: 'The page took too long.', retryable: true },
    },
  ),
} as const;
