import { type Static, Type } from 'typebox';
import { packStates } from '../packs.ts';
import { domain, failure, none, strict } from './event-type.ts';

const count = Type.Integer({ minimum: 0 });
const counts = {
  documents_total: count,
  documents_completed: count,
  documents_failed: count,
  documents_withheld: count,
};
const example = {
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
    error: Type.Union([failure, Type.Null()]),
  },
  strict,
);
const endExample: Static<typeof packEnd> = {
  state: 'succeeded',
  ...example,
  object_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
  error: null,
};

/** Packs of documents. */
export const packEvents = {
  'documents.pack.created': domain(
    'pack',
    'A pack of documents was accepted.',
    Type.Object(
      {
        name: Type.String(),
        documents_total: count,
        refreshes: Type.Union([Type.String(), Type.Null()]),
        retry_of: Type.Union([Type.String(), Type.Null()]),
      },
      strict,
    ),
    { name: 'Contracts 2026', documents_total: 40, refreshes: null, retry_of: null },
  ),
  'documents.pack.started': domain(
    'pack',
    'Work on a pack started.',
    Type.Object({ documents_total: count }, strict),
    { documents_total: 40 },
  ),
  'documents.pack.progressed': domain(
    'pack',
    'The progress of a pack changed by a whole percent. At most 100 events per pack.',
    Type.Object({ percent: Type.Integer({ minimum: 0, maximum: 100 }), ...counts }, strict),
    { percent: 42, ...example, documents_completed: 17 },
  ),
  'documents.pack.succeeded': domain(
    'pack',
    'A pack was built with all of its documents.',
    packEnd,
    endExample,
  ),
  'documents.pack.partially_succeeded': domain(
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
  'documents.pack.failed': domain('pack', 'A pack ended without an archive.', packEnd, {
    ...endExample,
    state: 'failed',
    documents_completed: 0,
    documents_failed: 40,
    object_id: null,
    error: { code: 'no_documents', message: 'All documents failed.', retryable: false },
  }),
  'documents.pack.cancel_requested': domain(
    'pack',
    'Cancellation of a pack was requested.',
    none,
    {},
  ),
  'documents.pack.cancelled': domain('pack', 'A pack was cancelled.', packEnd, {
    ...endExample,
    state: 'cancelled',
    documents_completed: 12,
    object_id: null,
  }),
} as const;
