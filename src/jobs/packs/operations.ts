import type { PackOptions } from '@scriptorium/contracts/wire/pack-options';
import { completeOptions, type RequestedOperation } from '../creating/check.ts';

/** What determines the chunks of a document besides its bytes, as text. */
export function chunkingOf(options: PackOptions): string {
  const { redact, review, chunk_tokens, overlap_tokens } = options;
  const reviewed = review === 'none' ? [] : [review];
  return JSON.stringify([redact, chunk_tokens, overlap_tokens, ...reviewed]);
}

/** The operations of the job that each document of a pack runs through. */
export function packOperations({
  redact,
  review,
  chunk_tokens,
  overlap_tokens,
}: PackOptions): RequestedOperation[] {
  const normalize: RequestedOperation = {
    op: 'normalize_for_llm',
    options: completeOptions('normalize_for_llm', { chunk_tokens, overlap_tokens }),
  };
  if (redact === null) return [normalize];
  // Models read marks that name what was removed, whatever the format.
  const options = completeOptions('redact_pii', { entities: redact, style: 'label', review });
  return [{ op: 'redact_pii', options }, normalize];
}
