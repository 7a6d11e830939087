import type { IncomingMessage } from 'node:http';
import { Problem } from '../../contracts/problems.ts';
import { valuesOf } from '../requests/credentials.ts';

const maximumUrl = 8 * 1024;
const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Refuses requests that Node's parser takes and that a proxy may read in another way than we do
 * (RFC 9112 §3.2, §6.1), so that nobody smuggles one in or passes for another host.
 * @throws Problem 400 or 414
 */
export function requireSoundShape(request: IncomingMessage): void {
  const { httpVersion } = request;
  const url = request.url ?? '';
  if (url.length > maximumUrl) {
    const detail = `The path and query are longer than ${maximumUrl} characters.`;
    throw new Problem('uri_too_long', detail);
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw unsound(`HTTP/${httpVersion} is not spoken here; send HTTP/1.1.`);
  }
  if (!url.startsWith('/') && !(url === '*' && request.method === 'OPTIONS')) {
    throw unsound('The request target must be a path; send the host in Host.');
  }
  const hosts = valuesOf(request, 'host');
  if (hosts.length === 0 && httpVersion === '1.1') {
    throw unsound('The Host header is missing.', 'Host');
  }
  if (hosts.length > 1) throw unsound('Host may stand only once.', 'Host');
  if (hosts.length === 1 && !host.test(hosts[0]!)) {
    throw unsound('Host must be a host name or an address, with or without a port.', 'Host');
  }
  const codings = valuesOf(request, 'transfer-encoding');
  if (codings.length > 0) requireChunked(request, codings);
  if (!url.includes('%')) return;
  try {
    decodeURIComponent(url.split('?', 1)[0]!);
  } catch {
    throw new Problem('malformed_request', 'The path has an escape (%) that is not valid UTF-8.');
  }
}

function requireChunked(request: IncomingMessage, codings: string[]): void {
  const header = 'Transfer-Encoding';
  if (request.httpVersion === '1.0') throw unsound('HTTP/1.0 has no Transfer-Encoding.', header);
  if (codings.length > 1 || codings[0]!.toLowerCase() !== 'chunked') {
    throw unsound('Transfer-Encoding may be chunked only.', header);
  }
  if (request.headers['content-length'] !== undefined) {
    throw unsound('Send Content-Length or Transfer-Encoding, not both.', header);
  }
}

/** Where its message ends is not certain, so nothing more is read from the connection. */
function unsound(detail: string, header?: string): Problem {
  return new Problem('malformed_request', detail, {
    headers: { Connection: 'close' },
    ...(header ? { errors: [{ header, code: 'malformed_request', detail }] } : {}),
  });
}
