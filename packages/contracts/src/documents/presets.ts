import type { OperationList } from '../wire/operations.ts';

/** A preset that every project has. */
export interface BuiltInPreset {
  name: string;
  description: string;
  operations: OperationList;
}

/** The presets of the service: the jobs that most projects start with. */
export const builtInPresets: readonly BuiltInPreset[] = [
  {
    name: 'Searchable PDF',
    description: 'Recognise the text of scans and pictures, so that it can be searched and copied.',
    operations: [{ op: 'ocr' }],
  },
  {
    name: 'Redact personal data',
    description: 'Remove data that identifies a person, and verify the removal.',
    operations: [{ op: 'redact_pii' }],
  },
  {
    name: 'Redact with a review',
    description: 'A person decides about each finding before anything is removed.',
    operations: [{ op: 'redact_pii', options: { review: 'required' } }],
  },
  {
    name: 'Ready for a model',
    description: 'Markdown, blocks and chunks for a language model.',
    operations: [{ op: 'normalize_for_llm' }],
  },
  {
    name: 'Redacted, for a model',
    description: 'Remove data that identifies a person, then write Markdown and chunks.',
    operations: [{ op: 'redact_pii' }, { op: 'normalize_for_llm' }],
  },
];
