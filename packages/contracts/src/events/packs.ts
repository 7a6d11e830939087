import { type Static, Type } from 'typebox';
import { packStates } from '../packs.ts';
import { domainEvent, failureSchema, noData, strictOptions } from './event-type.ts';

const count = Type.Integer({ minimum: 0 });
const counts = {
  documents_total: count,
  documents_completed: count,
  documents_failed: count,
  documents_withheld: count,
};
const countsExample = {
  documents_total: 40,
  documents_completed: 40,
  documents_failed: 0,
  documents_withheld: 0,
};
const packEnd = Type.Object(
  {
    state: Type.Enum([...packStates]),
    ...counts,
    object_id: Type.Union([Type.String(), Type.Null()]),
    error: Type.Union([failureSchema, Type.Null()]),
  },
  strictOptions,
);
const endExample: Static<typeof packEnd> = {
  state: 'succeeded',
  ...countsExample,
  object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
  error: null,
};

/** Packs of documents. */
export const packEvents = {
  'documents.pack.created': domainEvent(
    'pack',
    'A pack of documents was accepted.',
    Type.Object(
      {
        name: Type.String(),
        documents_total: count,
        refreshes: Type.Union([Type.String(), Type.Null()]),
        retry_of: Type.Union([Type.String(), Type.Null()]),
      },
      strictOptions,
    ),
    { name: 'Contracts 2026', documents_total: 40, refreshes: null, retry_of: null },
  ),
  'documents.pack.started': domainEvent(
    'pack',
    'Work on a pack started.',
    Type.Object({ documents_total: count }, strictOptions),
    { documents_total: 40 },
  ),
  'documents.pack.progressed': domainEvent(
    'pack',
    'The progress of a pack changed by a whole percent. At most 100 events per pack.',
    Type.Object({ percent: Type.Integer({ minimum: 0, maximum: 100 }), ...counts }, strictOptions),
    { percent: 42, ...countsExample, documents_completed: 17 },
  ),
  'documents.pack.succeeded': domainEvent(
    'pack',
    'A pack was built with all of its documents.',
    packEnd,
    endExample,
  ),
  'documents.pack.partially_succeeded': domainEvent(
    'pack',
    'A pack was built, but without documents that failed or that a policy withholds.',
    packEnd,
    {
      ...endExample,
      state: 'partially_succeeded',
      documents_completed: 38,
      documents_failed: 1,
      documents_withheld: 1,
      error: {
        code: 'documents_left_out',
        message: '2 of 40 documents are not in the pack.',
        retryable: false,
      },
    },
  ),
  'documents.pack.failed': domainEvent('pack', 'A pack ended without an archive.', packEnd, {
    ...endExample,
    state: 'failed',
    documents_completed: 0,
    documents_failed: 40,
    object_id: null,
    error: { code: 'no_documents', message: 'All documents failed.', retryable: false },
  }),
  'documents.pack.cancel_requested': domainEvent(
    'pack',
    'Cancellation of a pack was requested.',
    noData,
    {},
  ),
  'documents.pack.cancelled': domainEvent('pack', 'A pack was cancelled.', packEnd, {
    ...endExample,
    state: 'cancelled',
    documents_completed: 12,
    object_id: null,
  }),
} as const;
