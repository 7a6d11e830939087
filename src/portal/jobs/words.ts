import type { PageState } from '../../contracts/jobs.ts';
import type { JobRecord } from '../../contracts/wire/jobs.ts';

/** What an operation is called on the screen; the API's own name is shown beside it. */
export const operationTitles: Record<string, string> = {
  ocr: 'Recognise text',
  redact_pii: 'Redact personal data',
  normalize_for_llm: 'Text for language models',
  classify: 'Classify',
};

/** What a kind of output is called on the screen. */
export const outputTitles: Record<string, string> = {
  searchable_pdf: 'Searchable PDF',
  text: 'Plain text',
  words: 'Words with boxes',
  redacted_pdf: 'Redacted PDF',
  redacted_file: 'Redacted file',
  markdown: 'Markdown',
  json: 'JSON of its blocks',
  chunks: 'Chunks',
};

/** A state of a page as a sign, so that colour is not all that tells it. */
export const pageSigns: Record<PageState, string> = {
  pending: '·',
  running: '▸',
  succeeded: '✓',
  failed: '✕',
  skipped: '–',
  cancelled: '○',
};

/** `chunk_tokens` as `Chunk tokens`. */
export function inWords(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const ended = ['succeeded', 'partially_succeeded', 'failed', 'cancelled'];

/** Whether a job will never change again. */
export function hasEnded({ state }: Pick<JobRecord, 'state'>): boolean {
  return ended.includes(state);
}

/** 1 as `1 page`, 3 as `3 pages`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}

/** What progress counts: a page counts once for each operation. */
export function steps({ operations, progress }: JobRecord): string {
  const { pages_total: total, pages_completed: done, pages_failed: failed } = progress;
  const noun = operations.length > 1 ? 'page step' : 'page';
  const wrong = failed > 0 ? `, ${failed.toLocaleString()} failed` : '';
  return `${done.toLocaleString()} of ${count(total ?? 0, noun)} done${wrong}`;
}
