/**
 * What a download delivers: the object's own bytes, these without some metadata, its redaction where a
 * policy requires one, or a picture that is large enough to be a copy.
 */
export const downloadContents = [
  'original',
  'variant',
  'redaction',
  'rendition',
  'page_image',
] as const;
export type DownloadedContent = (typeof downloadContents)[number];

/** By which way: with a key or a session, by a signed URL, in an archive, by a shared link. */
export const downloadWays = ['direct', 'signed_url', 'archive', 'share'] as const;
export type DownloadWay = (typeof downloadWays)[number];

/** Pictures of at least this width are copies; smaller ones are previews, which are not recorded. */
export const copyWidth = 1280;
