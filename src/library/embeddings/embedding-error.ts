import type { EmbeddingFailure } from '@scriptorium/contracts/embeddings';

/** The endpoint did not return vectors. The message contains no text and no answer of the endpoint. */
export class EmbeddingError extends Error {
  readonly code: EmbeddingFailure;
  /** When to try again; null if the endpoint does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: EmbeddingFailure,
    retryAfterSeconds: number | null = null,
    options: ErrorOptions = {},
  ) {
    super(`The embedding endpoint failed: ${code}.`, options);
    this.name = 'EmbeddingError';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
