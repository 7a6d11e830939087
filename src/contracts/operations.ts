import { type Static, Type } from 'typebox';
import type { QueueName } from './queues.ts';
import { pagedMimes, type SourceMime } from './sources.ts';

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
export type OperationOptions<O extends OperationName> = Static<(typeof operations)[O]['options']>;

/** Operations the interface names that a later release brings, as `/v1/capabilities` shows them. */
export const plannedOperations = ['redact_pii', 'normalize_for_llm', 'classify'] as const;
