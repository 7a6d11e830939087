import type { PackOptions } from '@scriptorium/contracts/wire/pack-options';
import { completeOptions, type RequestedOperation } from '../creating/check.ts';

/** The parameters that determine a document's chunks, apart from its bytes, as text. */
export function chunkingOf(options: PackOptions): string {
  const { redact, review, chunk_tokens, overlap_tokens } = options;
  const reviewed = review === 'none' ? [] : [review];
  return JSON.stringify([redact, chunk_tokens, overlap_tokens, ...reviewed]);
}

/** The operations that the job of each document runs. */
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
  // Models read marks that describe the removed values, whatever the format.
  const options = completeOptions('redact_pii', { entities: redact, style: 'label', review });
  return [{ op: 'redact_pii', options }, normalize];
}
