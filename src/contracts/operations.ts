import { type Static, Type } from 'typebox';
import { entityNames } from './entities.ts';
import { documentLabelNames } from './labels.ts';
import type { QueueName } from './queues.ts';
import { pagedMimes, type SourceMime, sourceMimes } from './sources.ts';

const language = Type.String({ pattern: '^[a-z]{3}(_[a-z]{3,4})?$' });

/** Options of `ocr`; all have defaults, so `{op: "ocr"}` is enough. */
const ocrOptions = Type.Object(
  {
    languages: Type.Array(language, {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      default: ['eng'],
      description: 'ISO 639-2 codes of the languages to expect.',
    }),
    output: Type.Array(Type.Enum(['searchable_pdf', 'text', 'words']), {
      minItems: 1,
      uniqueItems: true,
      default: ['searchable_pdf'],
      description: 'Which outputs to make.',
    }),
    existing_text: Type.Enum(['skip', 'redo', 'force'], {
      default: 'skip',
      description:
        'What to do with pages that have text: skip them, replace an invisible text layer (redo), or recognise them from their picture (force).',
    }),
    deskew: Type.Boolean({ default: false, description: 'Straighten leaning pages in the PDF.' }),
    rotate: Type.Boolean({
      default: true,
      description: 'Find out which way up a page is, and turn it in the PDF.',
    }),
  },
  { additionalProperties: false },
);

/** How sure the engine is to be of what it removes, unless something else is asked for. */
export const usualConfidence = 0.4;

/** Options of `redact_pii`; all have defaults. */
const redactOptions = Type.Object(
  {
    entities: Type.Union(
      [
        Type.Literal('all'),
        Type.Array(Type.Enum(entityNames), { minItems: 1, maxItems: 100, uniqueItems: true }),
      ],
      { default: 'all', description: 'Which kinds of personal data to remove.' },
    ),
    min_confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      default: usualConfidence,
      description: 'What the engine is less sure of stays.',
    }),
    style: Type.Enum(['blackbox', 'label'], {
      default: 'blackbox',
      description:
        'A black box, or a box with the kind of what it hides. In text that is made of it in the same job a mark stands for either: with the kind, but for black boxes in a file without pages, which do not tell theirs.',
    }),
    custom_patterns: Type.Array(
      Type.Object(
        {
          name: Type.String({
            pattern: '^[A-Z][A-Z0-9_]{0,39}$',
            description: 'Findings are of the kind CUSTOM_ and this name.',
          }),
          pattern: Type.String({
            minLength: 1,
            maxLength: 500,
            description:
              'An expression in RE2 syntax: no look-around and no back references. What was read from pictures also matches where it has a blank between digits or beside an @ too many.',
          }),
          case_sensitive: Type.Boolean({ default: false }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 20, default: [], description: 'What else to remove.' },
    ),
    allow_list: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 1_000,
      default: [],
      description: 'What is never removed, whatever it looks like; compared without case.',
    }),
    keep_unredacted: Type.Boolean({
      default: false,
      description:
        'Store outputs of the operations before this one as objects, unredacted as they are. Needs pii:read.',
    }),
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
        'Which outputs to make: Markdown, JSON with the page and box of each block, and chunks as JSON Lines.',
    }),
    chunk_tokens: Type.Integer({
      minimum: 32,
      maximum: 32_768,
      default: 800,
      description: 'At most so many tokens in a chunk.',
    }),
    overlap_tokens: Type.Integer({
      minimum: 0,
      maximum: 8_192,
      default: 80,
      description:
        'So many tokens of a chunk are the end of the one before; fewer than a chunk has.',
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
      description: 'How many of the likeliest labels to tell.',
    }),
  },
  { additionalProperties: false },
);

/**
 * Every operation a document job can hold, in the order they would usually come. A new operation is
 * one entry here; after that the compiler names each place that has to know it.
 */
export const operations = {
  ocr: {
    options: ocrOptions,
    queue: 'ocr',
    maturity: 'stable',
    summary: 'Recognise text and make a searchable PDF, plain text and words with boxes.',
    /** Pages in one task: a page is a second of work, so one. */
    pagesPerTask: 1,
    outputs: ['searchable_pdf', 'text', 'words'],
    sources: pagedMimes,
  },
  redact_pii: {
    options: redactOptions,
    queue: 'redact',
    maturity: 'expanding',
    summary: 'Find personal data, remove it for good, and prove that it is gone.',
    pagesPerTask: 4,
    outputs: ['redacted_pdf', 'redacted_file'],
    sources: sourceMimes,
  },
  normalize_for_llm: {
    options: normalizeOptions,
    queue: 'normalize',
    maturity: 'expanding',
    summary: 'Make text for language models of it: Markdown, JSON of its blocks, and chunks.',
    pagesPerTask: 16,
    outputs: ['markdown', 'json', 'chunks'],
    sources: sourceMimes,
  },
  classify: {
    options: classifyOptions,
    queue: 'classify',
    maturity: 'expanding',
    summary: 'Tell what kind of document it is, and label the object with it.',
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
  /** The types of object it can read. */
  sources: readonly SourceMime[];
}

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];
/** What outputs of all operations are called. */
export const outputKinds = Object.values(operations).flatMap(({ outputs }) => outputs);
export type OperationOptions<O extends OperationName> = Static<(typeof operations)[O]['options']>;
