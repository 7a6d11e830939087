import type { Origin } from '@scriptorium/contracts/origin';
import type { DownloadCounts } from '../../library/downloads/counts.ts';
import type { Download } from '../../library/downloads/queries.ts';
import type { Reply } from '../frame/reply.ts';

interface DownloadCall {
  deps: { downloadCounts: DownloadCounts };
  origin: Origin;
  ctx: { method: string; state: { portal?: unknown } };
}

/**
 * Counts a download if its reply contains bytes; replies to HEAD and 304 replies do not. Called
 * once the download can no longer be denied.
 */
export function countDownload<R extends Reply>(
  { deps, origin, ctx }: DownloadCall,
  reply: R,
  download: Download,
): R {
  if (ctx.method === 'GET' && reply.body !== null) deps.downloadCounts.count(origin, download);
  return reply;
}

/**
 * Counts a picture that is large enough to replace the file, unless the portal requested it: viewing
 * a file is not a download.
 */
export function countPicture<R extends Reply>(
  call: DownloadCall,
  reply: R,
  picture: Pick<Download, 'objectId' | 'deliveredObjectId'> & {
    content: 'rendition' | 'page_image';
  },
): R {
  if (call.ctx.state.portal === true) return reply;
  return countDownload(call, reply, { ...picture, via: 'direct' });
}
