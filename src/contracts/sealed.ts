/** What a sealed text is, and the identifiers of the row that holds it. */
export type SealedPlace =
  | readonly ['portal_session']
  | readonly ['idempotent_answer', projectId: string, keyId: string, route: string, value: string]
  | readonly ['webhook_secret', endpointId: string]
  | readonly ['webhook_header', endpointId: string, name: string]
  | readonly ['job_options', projectId: string, sourceObjectId: string, op: string]
  | readonly ['job_page', projectId: string, sourceObjectId: string, op: string, page: number];

/** Seals a text for one place. */
export type SealText = (text: string, place: SealedPlace) => string;
/**
 * Opens a sealed text.
 * @throws when no key of ours sealed it, when it was changed, or when it was sealed for another place
 */
export type OpenSealed = (sealed: string, place: SealedPlace) => string;
