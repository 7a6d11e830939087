import type { Origin } from '@scriptorium/contracts/origin';
import type { DownloadCounts } from '../../library/downloads/counts.ts';
import type { Download } from '../../library/downloads/queries.ts';
import type { Reply } from '../frame/reply.ts';

interface Counted {
  deps: { downloadCounts: DownloadCounts };
  origin: Origin;
  ctx: { method: string; state: { portal?: unknown } };
}

/**
 * Counts a download if its reply has bytes: those of HEAD and of a copy that the client has (304) do not.
 * Called once nothing can deny it any more.
 */
export function countDownload<R extends Reply>(
  { deps, origin, ctx }: Counted,
  reply: R,
  download: Download,
): R {
  if (ctx.method === 'GET' && reply.body !== null) deps.downloadCounts.count(origin, download);
  return reply;
}

/**
 * Counts a picture that is large enough to be a copy, unless the portal shows it: a person who looks at
 * a file has not downloaded it.
 */
export function countPicture<R extends Reply>(
  call: Counted,
  reply: R,
  picture: Pick<Download, 'objectId' | 'deliveredObjectId'> & {
    content: 'rendition' | 'page_image';
  },
): R {
  if (call.ctx.state.portal === true) return reply;
  return countDownload(call, reply, { ...picture, via: 'direct' });
}
