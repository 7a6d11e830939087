import type { PageState } from '@scriptorium/contracts/jobs';
import type { OperationName, OutputKind } from '@scriptorium/contracts/operations';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { formatCount } from '../kit/format-count.ts';
import { formatSeconds } from '../kit/values.tsx';

const titlesOfOperations: Record<OperationName, string> = {
  ocr: 'Recognise text',
  redact_pii: 'Redact personal data',
  normalize_for_llm: 'Text for language models',
  classify: 'Classify',
};

/** Display names of operations. */
export const operationTitles: Readonly<Record<string, string>> = titlesOfOperations;

/** Returns the display name of an operation, which may be newer than this page. */
export const operationTitle = (op: string): string => operationTitles[op] ?? op;

const titlesOfOutputs: Record<OutputKind, string> = {
  searchable_pdf: 'Searchable PDF',
  text: 'Plain text',
  words: 'Words with boxes',
  redacted_pdf: 'Redacted PDF',
  redacted_file: 'Redacted file',
  markdown: 'Markdown',
  json: 'JSON blocks',
  chunks: 'Chunks',
  attachment: 'Attachment',
};

/** Display names of output kinds. */
export const outputTitles: Readonly<Record<string, string>> = titlesOfOutputs;

/** Symbols for page states, so that they do not depend on colour alone. */
export const pageSymbols: Record<PageState, string> = {
  pending: '·',
  running: '▸',
  succeeded: '✓',
  failed: '✕',
  skipped: '–',
  cancelled: '○',
};

/** Converts an identifier to text: `chunk_tokens` to `Chunk tokens`. */
export function humanise(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const finalStates = ['succeeded', 'partially_succeeded', 'failed', 'cancelled'];

/** Whether a job is in a final state. */
export function isFinished({ state }: Pick<JobRecord, 'state'>): boolean {
  return finalStates.includes(state);
}

/** Error codes that a retry cannot fix, because the bytes of a file never change. */
const permanentErrorCodes = [
  'damaged',
  'encrypted',
  'unsupported',
  'too_large',
  'too_many_pixels',
  'empty',
];

/** Whether no job can ever open the file. */
export function isUnprocessable({
  error,
  progress,
}: Pick<JobRecord, 'error' | 'progress'>): boolean {
  return progress.pages_total === null && permanentErrorCodes.includes(error?.code ?? '');
}

/**
 * Returns the progress of a job. With several operations, each page counts once for each of them,
 * including operations added by the service.
 */
export function progressText({ operations, progress }: JobRecord): string {
  const { pages_total: total, pages_completed: done, pages_failed: failed } = progress;
  const noun = operations.length > 1 ? 'page step' : 'page';
  const failedText = failed > 0 ? `, ${formatCount(failed)} failed` : '';
  const addedTitles = operations
    .filter(({ implicit }) => implicit)
    .map(({ op }) => `“${operationTitle(op)}”`);
  const addedText = addedTitles.length > 0 ? ` (including ${addedTitles.join(', ')})` : '';
  return `${formatCount(done)} of ${pluralise(total ?? 0, noun)} done${failedText}${addedText}`;
}

/** Whether an output shows the pages of its source, so that they can be compared. */
export function isComparable(kind: string): boolean {
  return kind === 'redacted_pdf' || kind === 'searchable_pdf';
}

/** Returns the duration between two timestamps. */
export function durationBetween(from: string, to: string): string {
  return formatSeconds((Date.parse(to) - Date.parse(from)) / 1000);
}
