import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { isKnownEtag } from '../frame/responses/preconditions.ts';

/** A static file in memory: a page, a script, a style. */
export interface StaticFile {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
  /** Whether its name contains a hash of its content, so that it can be cached forever. */
  isAsset: boolean;
}

export async function createStaticFile(
  type: string,
  content: Buffer | string,
  isAsset = false,
): Promise<StaticFile> {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return { type, bytes, gzipped: await promisify(gzip)(bytes), etag: `"${hash}"`, isAsset };
}

/** @throws Problem 405 unless the method is GET or HEAD */
export function requireGetOrHead(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  throw new Problem('method_not_allowed', 'The method must be one of: GET, HEAD.', {
    headers: { Allow: 'GET, HEAD' },
  });
}

/**
 * Sends a file with a Content-Security-Policy. The status is 404 for the page that reports an
 * unknown path.
 */
export function sendStaticFile(
  ctx: Context,
  file: StaticFile,
  { policy, status = 200 }: { policy: string; status?: 200 | 404 },
): void {
  ctx.set('Content-Security-Policy', policy);
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
  ctx.set('Vary', 'Accept-Encoding');
  ctx.status = status;
  if (status === 200) {
    // Files other than assets are revalidated on each use.
    ctx.set('Cache-Control', file.isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    ctx.set('ETag', file.etag);
    if (isKnownEtag(ctx.get('If-None-Match') || undefined, file.etag)) {
      ctx.status = 304;
      return;
    }
  }
  const isGzipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzipped) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isGzipped ? file.gzipped : file.bytes;
  ctx.set('Content-Type', file.type);
}
