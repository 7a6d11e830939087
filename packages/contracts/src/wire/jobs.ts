import { type Static, Type } from 'typebox';
import { jobStates, operationStates, pageStates } from '../jobs.ts';
import { operationNames } from '../operations.ts';
import { Failure, Id, Metadata, Nullable, Time } from './common.ts';
import { problemSchema } from './shapes.ts';

const strictOptions = { additionalProperties: false };

/** The progress of one operation. */
const OperationProgress = Type.Object(
  {
    pages_total: Nullable(Type.Integer({ minimum: 0 })),
    pages_succeeded: Type.Integer({ minimum: 0 }),
    pages_failed: Type.Integer({ minimum: 0 }),
    pages_skipped: Type.Integer({ minimum: 0 }),
    percent: Type.Integer({ minimum: 0, maximum: 100 }),
  },
  strictOptions,
);

const OperationRecord = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    op: Type.Enum(operationNames),
    options: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Without the `pii:read` scope, every `pattern` in `custom_patterns` is null, and `allow_list` is null with its length in `allow_list_count`.',
    }),
    implicit: Type.Boolean(),
    state: Type.Enum([...operationStates]),
    progress: OperationProgress,
    result: Nullable(Type.Record(Type.String(), Type.Unknown())),
    error: Nullable(Failure),
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
  },
  { ...strictOptions, title: 'Operation' },
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
  { ...strictOptions, title: 'Output' },
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
            'Never decreases. Stays at 99 while the last outputs are assembled and, with `redact_pii`, verified.',
        }),
        pages_total: Nullable(Type.Integer({ minimum: 0 })),
        pages_completed: Type.Integer({ minimum: 0 }),
        pages_failed: Type.Integer({ minimum: 0 }),
        current_operation_index: Type.Integer({ minimum: 0 }),
        eta_seconds: Nullable(
          Type.Integer({
            minimum: 0,
            description:
              'Estimated from the pace so far. Null before the first page is done and after the last.',
          }),
        ),
      },
      strictOptions,
    ),
    outputs: Type.Array(OutputRecord),
    warnings: Type.Array(
      Type.Object({ code: Type.String(), message: Type.String() }, strictOptions),
    ),
    error: Nullable(Failure),
    retry_of: Nullable(Id('job')),
    metadata: Metadata,
    created_at: Time,
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
    version: Type.Integer({ minimum: 1 }),
  },
  { ...strictOptions, title: 'Job' },
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
        { ...strictOptions, title: 'JobBatchResult' },
      ),
      { description: 'One result per object, in the order of the request.' },
    ),
  },
  { ...strictOptions, title: 'JobBatchResults' },
);
export type JobBatchResults = Static<typeof JobBatchResults>;

const FoundEntity = Type.Object(
  {
    type: Type.String({
      description: 'The type of personal data, or `CUSTOM_` and the name of a custom pattern.',
    }),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    value: Type.Optional(Type.String({ description: 'Only with the `pii:read` scope.' })),
    boxes: Type.Array(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), {
      description:
        'Where the finding is: left, top, right, bottom in points of the displayed page. Empty for files without pages. An image without a plausible resolution (WebP never has one) counts as 11.69 inches long, within 72 to 600 dpi.',
    }),
  },
  { ...strictOptions, title: 'FoundEntity' },
);
export type FoundEntity = Static<typeof FoundEntity>;

const RecognisedWord = Type.Object(
  {
    text: Type.String(),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: '1 for text that was already in the file.',
    }),
    box: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'Left, top, right, bottom in points of the displayed page.',
    }),
  },
  { ...strictOptions, title: 'RecognisedWord' },
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
          'The text of the page. Null after the results have expired. For `redact_pii`, the redacted text once the redaction is complete. If `redact_pii` follows in the job, the text of earlier operations requires the `pii:read` scope.',
      }),
    ),
    entities: Nullable(
      Type.Array(FoundEntity, {
        description:
          'The findings of `redact_pii`. Null for other operations and after the results have expired.',
      }),
    ),
    words: Nullable(
      Type.Array(RecognisedWord, {
        description:
          'The words that `ocr` recognised, with `include=words`. Null for other operations, after the results have expired and, if `redact_pii` follows in the job, without the `pii:read` scope.',
      }),
    ),
    error: Nullable(Failure),
    finished_at: Nullable(Time),
  },
  { ...strictOptions, title: 'Page' },
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
              strictOptions,
            ),
            { description: 'Runs of consecutive pages in the same state, both ends included.' },
          ),
        },
        strictOptions,
      ),
    ),
  },
  { ...strictOptions, title: 'PageStates' },
);
export type PageStates = Static<typeof PageStates>;

/** The sort keys of jobs. */
export const jobSorts = ['created_at', 'state'] as const;
export type JobSort = (typeof jobSorts)[number];
