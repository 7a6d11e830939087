import { type Static, Type } from 'typebox';
import { jobStates, operationStates, pageStates } from '../jobs.ts';
import { operationNames } from '../operations.ts';
import { Failure, Id, Metadata, Nullable, Time } from './common.ts';
import { problemSchema } from './shapes.ts';

const closed = { additionalProperties: false };

/** How far one operation is. */
const OperationProgress = Type.Object(
  {
    pages_total: Nullable(Type.Integer({ minimum: 0 })),
    pages_succeeded: Type.Integer({ minimum: 0 }),
    pages_failed: Type.Integer({ minimum: 0 }),
    pages_skipped: Type.Integer({ minimum: 0 }),
    percent: Type.Integer({ minimum: 0, maximum: 100 }),
  },
  closed,
);

const OperationRecord = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    op: Type.Enum(operationNames),
    options: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Without the scope pii:read the `pattern` of each of `custom_patterns` is null, and `allow_list` is null with its length in `allow_list_count`.',
    }),
    implicit: Type.Boolean(),
    state: Type.Enum([...operationStates]),
    progress: OperationProgress,
    result: Nullable(Type.Record(Type.String(), Type.Unknown())),
    error: Nullable(Failure),
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
  },
  { ...closed, title: 'Operation' },
);

const OutputRecord = Type.Object(
  {
    object_id: Id('object'),
    operation_index: Type.Integer({ minimum: 0 }),
    kind: Type.String(),
    mime: Type.String(),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String(),
  },
  { ...closed, title: 'Output' },
);

export const JobRecord = Type.Object(
  {
    id: Id('job'),
    project_id: Id('project'),
    state: Type.Enum([...jobStates]),
    source_object_id: Id('object'),
    pages: Nullable(Type.String()),
    operations: Type.Array(OperationRecord),
    progress: Type.Object(
      {
        percent: Type.Integer({
          minimum: 0,
          maximum: 100,
          description:
            'Never falls. 99 while all pages are done and the last outputs are made, and with `redact_pii` proved, from them.',
        }),
        pages_total: Nullable(Type.Integer({ minimum: 0 })),
        pages_completed: Type.Integer({ minimum: 0 }),
        pages_failed: Type.Integer({ minimum: 0 }),
        current_operation_index: Type.Integer({ minimum: 0 }),
        eta_seconds: Nullable(
          Type.Integer({
            minimum: 0,
            description:
              'At the pace of the pages so far; null before the first and once all are done.',
          }),
        ),
      },
      closed,
    ),
    outputs: Type.Array(OutputRecord),
    warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
    error: Nullable(Failure),
    retry_of: Nullable(Id('job')),
    metadata: Metadata,
    created_at: Time,
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
    version: Type.Integer({ minimum: 1 }),
  },
  { ...closed, title: 'Job' },
);
export type JobRecord = Static<typeof JobRecord>;

export const JobBatchResults = Type.Object(
  {
    created: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(
      Type.Object(
        {
          source_object_id: Id('object'),
          job: Nullable(JobRecord),
          problem: Nullable(problemSchema),
        },
        { ...closed, title: 'JobBatchResult' },
      ),
      { description: 'One for each object, in the order they were sent.' },
    ),
  },
  { ...closed, title: 'JobBatchResults' },
);
export type JobBatchResults = Static<typeof JobBatchResults>;

const FoundEntity = Type.Object(
  {
    type: Type.String({ description: 'Its kind, or CUSTOM_ and the name of a pattern.' }),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    value: Type.Optional(Type.String({ description: 'Only with the scope pii:read.' })),
    boxes: Type.Array(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), {
      description:
        'Where it stands: left, top, right, bottom in points of the page as displayed. None in what has no pages. A picture without a resolution that can be believed (WebP never has one) counts as 11.69 inches long, within 72 to 600 dpi.',
    }),
  },
  { ...closed, title: 'FoundEntity' },
);
export type FoundEntity = Static<typeof FoundEntity>;

const RecognisedWord = Type.Object(
  {
    text: Type.String(),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: '1 for text that the file had already.',
    }),
    box: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'Left, top, right, bottom in points of the page as displayed.',
    }),
  },
  { ...closed, title: 'RecognisedWord' },
);
export type RecognisedWord = Static<typeof RecognisedWord>;

export const PageRecord = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    operation_index: Type.Integer({ minimum: 0 }),
    op: Type.Enum(operationNames),
    state: Type.Enum([...pageStates]),
    result: Nullable(Type.Record(Type.String(), Type.Unknown())),
    text: Nullable(
      Type.String({
        description:
          'What was read; null once results have expired. Of `redact_pii` the text without what was found, once the redaction is made. What operations before it read is shown with the scope pii:read only.',
      }),
    ),
    entities: Nullable(
      Type.Array(FoundEntity, {
        description: 'What `redact_pii` found; null of other operations and once results expired.',
      }),
    ),
    words: Nullable(
      Type.Array(RecognisedWord, {
        description:
          'With `include=words`: what `ocr` read, word by word. Null of other operations, once results have expired and, where `redact_pii` comes after it in the job, without the scope pii:read.',
      }),
    ),
    error: Nullable(Failure),
    finished_at: Nullable(Time),
  },
  { ...closed, title: 'Page' },
);
export type PageRecord = Static<typeof PageRecord>;

export const PageStates = Type.Object(
  {
    operations: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0 }),
          op: Type.Enum(operationNames),
          runs: Type.Array(
            Type.Object(
              {
                from: Type.Integer({ minimum: 1 }),
                to: Type.Integer({ minimum: 1 }),
                state: Type.Enum([...pageStates]),
              },
              closed,
            ),
            { description: 'Pages that follow one another in one state, both ends included.' },
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'PageStates' },
);
export type PageStates = Static<typeof PageStates>;
