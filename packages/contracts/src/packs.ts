/**
 * The states of a job, except for waiting for a review: a pack keeps running while its documents
 * are reviewed.
 */
export const packStates = [
  'queued',
  'running',
  'cancelling',
  'succeeded',
  'partially_succeeded',
  'failed',
  'cancelled',
] as const;
export type PackState = (typeof packStates)[number];

export const packDocumentStates = [
  'pending',
  'running',
  'succeeded',
  'withheld',
  'failed',
  'cancelled',
] as const;
export type PackDocumentState = (typeof packDocumentStates)[number];

/** The differences between a document and the pack that is refreshed. */
export const packChanges = ['added', 'changed', 'removed'] as const;
export type PackChange = (typeof packChanges)[number];

/** The contents that an archive can have for each document. */
export const packContents = ['markdown', 'chunks', 'blocks', 'pages'] as const;
export type PackContent = (typeof packContents)[number];

/**
 * The identifier of a chunk: the parameters that determine the document's chunks, and the chunk's
 * position among them.
 */
export const chunkIdPattern = '^chk_[0-9a-f]{24}_[0-9]{1,6}$';
