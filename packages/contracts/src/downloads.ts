/**
 * The content of a download: the object's own bytes, the bytes without some metadata, a redaction
 * if a policy requires one, or a picture large enough to serve as a copy.
 */
export const downloadContents = [
  'original',
  'variant',
  'redaction',
  'rendition',
  'page_image',
] as const;
export type DownloadedContent = (typeof downloadContents)[number];

/**
 * The method of a download: with a key or a session, by a signed URL, in an archive, or through a
 * shared link.
 */
export const downloadMethods = ['direct', 'signed_url', 'archive', 'share'] as const;
export type DownloadMethod = (typeof downloadMethods)[number];

/** Pictures of at least this width are copies; smaller ones are previews, which are not recorded. */
export const minCopyWidth = 1280;
