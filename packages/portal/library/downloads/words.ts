import type { DownloadedContent, DownloadWay } from '@scriptorium/contracts/downloads';

/** The content of a download, as text. */
export const downloadedContent: Record<DownloadedContent, string> = {
  original: 'original',
  variant: 'without metadata',
  redaction: 'redaction',
  rendition: 'large picture',
  page_image: 'picture of a page',
};

/** How a download was made, as text. */
export const downloadedVia: Record<DownloadWay, string> = {
  direct: 'directly',
  signed_url: 'by a signed URL',
  archive: 'in an archive',
  share: 'by a shared link',
};
