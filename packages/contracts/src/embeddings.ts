/**
 * Which texts of a project are sent to the embedding endpoint: none, those of documents that no policy
 * protects, also the redacted texts of protected documents, or all.
 */
export const embeddedTexts = ['none', 'unprotected', 'redacted', 'all'] as const;
export type EmbeddedTexts = (typeof embeddedTexts)[number];

/** The reasons for which the embedding endpoint fails. */
export const embeddingFailures = [
  'unreachable',
  'timed_out',
  'overloaded',
  'server_error',
  'access_denied',
  'rejected',
  'invalid_response',
  'wrong_dimensions',
] as const;
export type EmbeddingFailure = (typeof embeddingFailures)[number];
