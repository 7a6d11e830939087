import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Problem } from '../../contracts/problems.ts';
import type { Storage } from '../../storage/storage.ts';
import { isKnown } from '../frame/preconditions.ts';
import { type Reply, stream } from '../frame/reply.ts';
import { parseRange } from './range.ts';

interface StoredBytesRequest {
  /** `HEAD` opens nothing. */
  method: string;
  headers: IncomingHttpHeaders;
  storage: Storage;
  projectId: string;
  sha256: string;
  bytes: number;
  /** What the answer says besides: type, caching, disposition. */
  answer: Record<string, string> & { 'Content-Type': string; 'Cache-Control': string };
}

/**
 * Answers with stored bytes, whole or one range of them (RFC 9110 §14). The ETag is their SHA-256.
 * Whatever they are, a browser neither guesses at their type nor runs what is in them.
 * @throws Problem 416 `range_not_satisfiable`
 */
export async function storedBytes(
  request: StoredBytesRequest,
): Promise<Reply<200, null> | Reply<200 | 206, Readable>> {
  const { method, headers, storage, projectId, sha256, bytes } = request;
  const etag = `"${sha256}"`;
  const common = {
    ...request.answer,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Security-Policy': `default-src 'none'; sandbox`,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  // If-None-Match comes before Range (RFC 9110 §13.2.2); the frame makes the 304 of it.
  if (isKnown(headers['if-none-match'], etag)) return stream(200, null, common);
  const ifRange = headers['if-range'];
  const range = parseRange({
    range: headers.range,
    length: bytes,
    ifRange: typeof ifRange === 'string' && ifRange !== '' ? ifRange : undefined,
    etag,
  });
  if (range.kind === 'unsatisfiable') {
    const detail = `There are ${bytes} bytes; the range asks for none of them.`;
    throw new Problem('range_not_satisfiable', detail, {
      headers: { 'Content-Range': `bytes */${bytes}` },
      errors: [{ header: 'Range', code: 'range_not_satisfiable', detail }],
    });
  }
  const part = range.kind === 'part' ? { start: range.start, end: range.end } : undefined;
  const body = method === 'HEAD' ? Readable.from([]) : await storage.open(projectId, sha256, part);
  if (!part) return stream(200, body, { ...common, 'Content-Length': String(bytes) });
  return stream(206, body, {
    ...common,
    'Content-Length': String(part.end - part.start + 1),
    'Content-Range': `bytes ${part.start}-${part.end}/${bytes}`,
  });
}
