import { type Static, Type } from 'typebox';
import { entityNames } from './documents/entities.ts';
import { documentLabelNames } from './documents/labels.ts';
import { defaultProfile, profileNames } from './documents/profiles.ts';
import { pagedMimes, type SourceMime, sourceMimes } from './documents/sources.ts';
import { limits } from './limits.ts';
import type { QueueName } from './work/queues.ts';

export const languagePattern = '^[a-z]{3}(_[a-z]{3,4})?$';
export const customNamePattern = '^[A-Z][A-Z0-9_]{0,39}$';

const language = Type.String({ pattern: languagePattern });

/** Options of `ocr`. All have defaults, so `{op: "ocr"}` is enough. */
const ocrOptions = Type.Object(
  {
    languages: Type.Array(language, {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      default: ['eng'],
      description: 'The languages to expect, as ISO 639-2 codes.',
    }),
    output: Type.Array(Type.Enum(['searchable_pdf', 'text', 'words']), {
      minItems: 1,
      uniqueItems: true,
      default: ['searchable_pdf'],
      description: 'The outputs to create.',
    }),
    existing_text: Type.Enum(['skip', 'redo', 'force'], {
      default: 'skip',
      description:
        'What to do with pages that already have text. `skip`: keep their text, and recognise only pictures that contain other text. `redo`: replace an invisible text layer. `force`: rasterise and recognise them.',
    }),
    deskew: Type.Boolean({ default: false, description: 'Straighten skewed pages in the PDF.' }),
    rotate: Type.Boolean({
      default: true,
      description: 'Detect the orientation of each page and rotate it in the PDF.',
    }),
    pdfa: Type.Boolean({
      default: false,
      description:
        'Write the searchable PDF as PDF/A-2b (ISO 19005-2). A warning lists what was removed and which pages became pictures.',
    }),
  },
  { additionalProperties: false },
);

/** The default of `min_confidence`. */
export const defaultConfidence = 0.4;

/** Options of operations whose findings a person can review; all have defaults. */
const reviewOptions = {
  review: Type.Enum(['none', 'required', 'below'], {
    default: 'none',
    description:
      'Whether a person decides about the findings before the operation continues. `required`: about all of them. `below`: about those with a score below `review_below`; the others are accepted, and without any below the operation does not wait.',
  }),
  review_below: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.8,
    description: 'With `review: "below"`, the score from which a finding is accepted at once.',
  }),
  reviewers: Type.Enum(['anyone', 'not_requester'], {
    default: 'anyone',
    description:
      'Who may submit the review. `not_requester`: anyone except the requester of the job (the four-eyes principle). A key counts as the person or key that created it.',
  }),
  review_expires_in: Type.Integer({
    minimum: 60,
    maximum: limits.review_expiry_max_seconds,
    default: 14 * 24 * 3600,
    description:
      'After this many seconds without a submission the operation fails with `review_expired`. Default: 14 days.',
  }),
};

/** Options of `redact_pii`; all have defaults. */
const redactOptions = Type.Object(
  {
    entities: Type.Union(
      [
        Type.Enum(profileNames),
        Type.Array(Type.Enum(entityNames), { minItems: 1, maxItems: 100, uniqueItems: true }),
      ],
      {
        default: defaultProfile,
        description:
          'What to remove: a profile, or a list of types of personal data. `GET /v1/capabilities` describes both.',
      },
    ),
    keep: Type.Array(Type.Enum(entityNames), {
      maxItems: 100,
      uniqueItems: true,
      default: [],
      description:
        'Types of personal data that stay, although `entities` contains them, such as `["BARCODE"]`. The redaction does not count as one of these types for policies.',
    }),
    min_confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      default: defaultConfidence,
      description: 'Findings with a lower confidence are not removed.',
    }),
    style: Type.Enum(['blackbox', 'label'], {
      default: 'blackbox',
      description:
        '`blackbox` draws a black box. `label` draws a box with the type of data it hides. In text that the same job produces, a mark replaces the data. The mark shows the type, except with `blackbox` in files without pages.',
    }),
    box: Type.Enum(['tight', 'padded', 'to_edge'], {
      default: 'to_edge',
      description:
        'How far boxes extend in PDFs and images. `to_edge`: to what follows on the line, to the next column or to the edge of the page, so a box does not reveal the length of the text. `padded`: to a multiple of 54 points, which reveals the length in steps. `tight`: around the text, which reveals its length.',
    }),
    text_layer: Type.Boolean({
      default: true,
      description:
        'Make the redacted PDF of a scan searchable: the recognised words that were not removed become invisible text.',
    }),
    mail_recipients: Type.Enum(['redact', 'keep'], {
      default: 'redact',
      description:
        'How the recipients of an e-mail message are treated. `redact`: like other values. `keep`: the names and addresses in its `To` and `Cc` fields stay in the whole message; policies do not serve the output.',
    }),
    custom_patterns: Type.Array(
      Type.Object(
        {
          name: Type.String({
            pattern: customNamePattern,
            description: 'Findings get the type `CUSTOM_` followed by this name.',
          }),
          pattern: Type.String({
            minLength: 1,
            maxLength: 500,
            description:
              'A regular expression in RE2 syntax, without look-around or backreferences. In recognised text it also matches across stray spaces between digits or next to an @.',
          }),
          case_sensitive: Type.Boolean({ default: false }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 20, default: [], description: 'Custom patterns to remove.' },
    ),
    allow_list: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 1_000,
      default: [],
      description: 'Values that are never removed. Case is ignored.',
    }),
    keep_unredacted: Type.Boolean({
      default: false,
      description:
        'Also store the unredacted outputs of earlier operations as objects. Requires the `pii:read` scope.',
    }),
    ...reviewOptions,
  },
  { additionalProperties: false },
);

/** Options of `normalize_for_llm`; all have defaults. */
const normalizeOptions = Type.Object(
  {
    format: Type.Array(Type.Enum(['markdown', 'json', 'chunks']), {
      minItems: 1,
      uniqueItems: true,
      default: ['markdown', 'json', 'chunks'],
      description:
        'The outputs to produce: Markdown, JSON with the page and box of each block, or chunks as JSON Lines.',
    }),
    chunk_tokens: Type.Integer({
      minimum: 32,
      maximum: 32_768,
      default: 800,
      description: 'The maximum number of tokens in a chunk.',
    }),
    overlap_tokens: Type.Integer({
      minimum: 0,
      maximum: 8_192,
      default: 80,
      description:
        'The number of tokens that a chunk repeats from the end of the previous one. Must be less than `chunk_tokens`.',
    }),
  },
  { additionalProperties: false },
);

/** Options of `classify`; all have defaults. */
const classifyOptions = Type.Object(
  {
    top_k: Type.Integer({
      minimum: 1,
      maximum: documentLabelNames.length,
      default: 3,
      description: 'The maximum number of labels to return, most likely first.',
    }),
    ...reviewOptions,
  },
  { additionalProperties: false },
);

/**
 * Every operation of document jobs, in their usual order. A new operation is one entry here; the
 * compiler then reports every place that must handle it.
 */
export const operations = {
  ocr: {
    options: ocrOptions,
    queue: 'ocr',
    maturity: 'stable',
    summary: 'Recognise text and produce a searchable PDF, plain text, or words with their boxes.',
    /** Number of pages in a task. A page takes about a second, so each is a task. */
    pagesPerTask: 1,
    outputs: ['searchable_pdf', 'text', 'words'],
    sources: pagedMimes,
  },
  redact_pii: {
    options: redactOptions,
    queue: 'redact',
    maturity: 'expanding',
    summary: 'Find personal data, remove it permanently, and verify that it is gone.',
    pagesPerTask: 4,
    outputs: ['redacted_pdf', 'redacted_file'],
    sources: sourceMimes,
  },
  normalize_for_llm: {
    options: normalizeOptions,
    queue: 'normalize',
    maturity: 'expanding',
    summary: 'Produce text for language models: Markdown, JSON blocks, and chunks.',
    pagesPerTask: 16,
    outputs: ['markdown', 'json', 'chunks', 'attachment'],
    sources: sourceMimes,
  },
  classify: {
    options: classifyOptions,
    queue: 'classify',
    maturity: 'expanding',
    summary: 'Detect the type of document and label the object with it.',
    pagesPerTask: 64,
    outputs: [],
    sources: sourceMimes,
  },
} as const satisfies Record<string, Operation>;

interface Operation {
  options: ReturnType<typeof Type.Object>;
  queue: QueueName;
  maturity: 'stable' | 'expanding';
  summary: string;
  pagesPerTask: number;
  outputs: readonly string[];
  /** The media types it can read. */
  sources: readonly SourceMime[];
}

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];
/** The kinds of output of all operations. */
export const outputKinds = Object.values(operations).flatMap(({ outputs }) => outputs);
export type OutputKind = (typeof outputKinds)[number];
export type OperationOptions<O extends OperationName> = Static<(typeof operations)[O]['options']>;

/** The operations whose findings a person can review. */
export const reviewableOperations = [
  'redact_pii',
  'classify',
] as const satisfies readonly OperationName[];
export type ReviewableOperation = (typeof reviewableOperations)[number];
/** The options about a review. */
export type ReviewOptions = Partial<
  Pick<
    OperationOptions<ReviewableOperation>,
    'review' | 'review_below' | 'reviewers' | 'review_expires_in'
  >
>;
