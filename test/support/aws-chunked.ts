import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a request's body turned out to be, or the S3 error that it earns. */
type DecodedBody = { bytes: Buffer } | { error: string };

type Headers = Record<string, string | string[] | undefined>;

const checksums: Record<string, (bytes: Buffer) => string> = {
  'x-amz-checksum-crc32': (bytes) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(bytes));
    return sum.toString('base64');
  },
  'x-amz-checksum-sha1': (bytes) => createHash('sha1').update(bytes).digest('base64'),
  'x-amz-checksum-sha256': (bytes) => createHash('sha256').update(bytes).digest('base64'),
};

export function crc32Of(bytes: Buffer): string {
  return checksums['x-amz-checksum-crc32']!(bytes);
}

/** Takes a body out of its framing and checks all that its headers and trailers say about it. */
export function decodeBody(raw: Buffer, headers: Headers): DecodedBody {
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  if (!payload.startsWith('STREAMING-')) {
    if (/^[0-9a-f]{64}$/.test(payload)) {
      if (createHash('sha256').update(raw).digest('hex') !== payload) {
        return { error: 'XAmzContentSHA256Mismatch' };
      }
    } else if (payload !== 'UNSIGNED-PAYLOAD') return { error: 'InvalidRequest' };
    return check(raw, headers);
  }
  if (!String(headers['content-encoding'] ?? '').includes('aws-chunked')) {
    return { error: 'InvalidRequest' };
  }
  const decoded = unchunk(raw);
  if (!decoded) return { error: 'IncompleteBody' };
  if (decoded.bytes.length !== Number(headers['x-amz-decoded-content-length'])) {
    return { error: 'IncompleteBody' };
  }
  const trailerName = String(headers['x-amz-trailer'] ?? '').toLowerCase();
  if (payload.endsWith('-TRAILER') && !(trailerName in decoded.trailers)) {
    return { error: 'MalformedTrailerError' };
  }
  return check(decoded.bytes, { ...headers, ...decoded.trailers });
}

/** At least one checksum, as the SDK sends by default, and all of them right. */
function check(bytes: Buffer, headers: Headers): DecodedBody {
  const names = Object.keys(headers).filter((name) => name in checksums);
  if (names.length === 0) return { error: 'MissingChecksum' };
  const hasMismatch = names.some((name) => checksums[name]!(bytes) !== headers[name]);
  return hasMismatch ? { error: 'BadDigest' } : { bytes };
}

/** The aws-chunked framing: `size[;extension]CRLF bytes CRLF`, a chunk of 0, trailers, an empty line. */
function unchunk(raw: Buffer): { bytes: Buffer; trailers: Record<string, string> } | null {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(raw.toString('latin1', at, end).split(';')[0]!, 16);
    if (!(size >= 0)) return null;
    at = end + 2;
    if (size === 0) break;
    if (raw.toString('latin1', at + size, at + size + 2) !== '\r\n') return null;
    pieces.push(raw.subarray(at, at + size));
    at += size + 2;
  }
  const lines = raw.toString('latin1', at).split('\r\n').filter(Boolean);
  const trailers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { bytes: Buffer.concat(pieces), trailers: Object.fromEntries(trailers) };
}
