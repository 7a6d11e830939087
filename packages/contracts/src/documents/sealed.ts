/** The kind of a sealed text, and the identifiers of its row. */
export type SealedContext =
  | readonly ['portal_session']
  | readonly ['portal_sign_in']
  | readonly ['portal_join']
  | readonly ['idempotent_answer', projectId: string, keyId: string, route: string, value: string]
  | readonly ['webhook_secret', endpointId: string]
  | readonly ['webhook_header', endpointId: string, name: string]
  | readonly ['job_options', projectId: string, sourceOrPresetId: string, op: string]
  | readonly ['job_page', projectId: string, sourceObjectId: string, op: string, page: number]
  | readonly ['finding', projectId: string, sourceObjectId: string, findingId: string]
  | readonly [
      ...['review_text', projectId: string, sourceObjectId: string, reviewId: string],
      ...[page: number, piece: number],
    ]
  | readonly ['certificate_key', projectId: string]
  | readonly ['erasure_values', projectId: string, erasureId: string]
  | readonly ['review_reason', projectId: string, sourceObjectId: string, rowId: string];

/** Encrypts a text for one context. */
export type SealText = (text: string, context: SealedContext) => string;
/**
 * Decrypts a sealed text.
 * @throws if it was sealed with an unknown key or for another context, or was altered
 */
export type OpenSealed = (sealed: string, context: SealedContext) => string;
