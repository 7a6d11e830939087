import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import type { Storage } from '../../storage/storage.ts';
import { type Reply, stream } from '../frame/reply.ts';
import { isKnownEtag } from '../frame/responses/preconditions.ts';
import { parseRange } from './range.ts';

interface StoredBytesRequest {
  /** `HEAD` opens nothing. */
  method: string;
  headers: IncomingHttpHeaders;
  storage: Storage;
  projectId: string;
  sha256: string;
  bytes: number;
  /** Additional response headers: type, caching, disposition. */
  responseHeaders: Record<string, string> & { 'Content-Type': string; 'Cache-Control': string };
}

/**
 * Returns stored bytes, or a single range of them (RFC 9110 §14). The ETag is their SHA-256. The
 * headers prevent browsers from sniffing the type and from executing content.
 * @throws Problem 416 `range_not_satisfiable`
 */
export async function storedBytesReply(
  request: StoredBytesRequest,
): Promise<Reply<200, null> | Reply<200 | 206, Readable>> {
  const { method, headers, storage, projectId, sha256, bytes } = request;
  const etag = `"${sha256}"`;
  const commonHeaders = {
    ...request.responseHeaders,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Security-Policy': `default-src 'none'; sandbox`,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  // If-None-Match takes precedence over Range (RFC 9110 §13.2.2); the frame turns this into a 304.
  if (isKnownEtag(headers['if-none-match'], etag)) return stream(200, null, commonHeaders);
  const ifRange = headers['if-range'];
  const range = parseRange({
    range: headers.range,
    length: bytes,
    ifRange: typeof ifRange === 'string' && ifRange !== '' ? ifRange : undefined,
    etag,
  });
  if (range.kind === 'unsatisfiable') {
    const detail = `The range is outside the file, which has ${pluralise(bytes, 'byte')}.`;
    throw new Problem('range_not_satisfiable', detail, {
      headers: { 'Content-Range': `bytes */${bytes}` },
      errors: [{ header: 'Range', code: 'range_not_satisfiable', detail }],
    });
  }
  const part = range.kind === 'part' ? { start: range.start, end: range.end } : undefined;
  const body = method === 'HEAD' ? Readable.from([]) : await storage.open(projectId, sha256, part);
  if (!part) return stream(200, body, { ...commonHeaders, 'Content-Length': String(bytes) });
  return stream(206, body, {
    ...commonHeaders,
    'Content-Length': String(part.end - part.start + 1),
    'Content-Range': `bytes ${part.start}-${part.end}/${bytes}`,
  });
}
