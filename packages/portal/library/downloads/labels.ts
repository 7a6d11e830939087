import type { DownloadedContent, DownloadMethod } from '@scriptorium/contracts/downloads';

/** The content of a download, as text. */
export const contentLabels: Record<DownloadedContent, string> = {
  original: 'original',
  variant: 'without metadata',
  redaction: 'redaction',
  rendition: 'large picture',
  page_image: 'picture of a page',
};

/** How a download was made, as text. */
export const channelLabels: Record<DownloadMethod, string> = {
  direct: 'directly',
  signed_url: 'by a signed URL',
  archive: 'in an archive',
  share: 'by a shared link',
};
