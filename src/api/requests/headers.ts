import type { IncomingMessage } from 'node:http';
import { remember } from '@scriptorium/contracts/helpers/remember';
import { isId } from '@scriptorium/contracts/ids';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';
import { invalidKey, type KeyCredentials } from '../../access/authenticate.ts';
import { parseKey } from '../../access/keys/format.ts';
import type { Deps } from '../deps.ts';

/**
 * Reads the two credential headers. Node joins repeated headers or drops all but the first, so the
 * raw headers are counted.
 * @throws Problem 401 for a malformed key, without querying the database
 */
export function readCredentials(request: IncomingMessage): KeyCredentials {
  const authorization = headerValues(request, 'authorization');
  const token =
    authorization.length === 1 ? /^Bearer ([\x21-\x7e]+)$/i.exec(authorization[0]!) : null;
  if (!token) {
    throw new Problem(
      'authentication_required',
      'Send the API key in a single header: `Authorization: Bearer <API key>`.',
    );
  }
  const key = parseKey(token[1]!);
  if (!key) throw invalidKey();
  const project = headerValues(request, 'x-service-project-id');
  const projectId = project.length === 1 && isId('project', project[0]!) ? project[0]! : null;
  return { keyHash: key.hash, projectId };
}

/** The raw values of a header. */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const raw = request.rawHeaders;
  for (let at = 0; at < raw.length; at += 2) {
    const sent = raw[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(raw[at + 1]!);
  }
  return values;
}

const maxUrlLength = 8 * 1024;
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Rejects requests that Node's parser accepts but a proxy may read differently (RFC 9112 §3.2,
 * §6.1), to prevent request smuggling and host confusion.
 * @throws Problem 400 or 414
 */
export function rejectAmbiguousRequest(request: IncomingMessage): void {
  const { httpVersion } = request;
  const url = request.url ?? '';
  if (url.length > maxUrlLength) {
    const detail = `The path and query must have at most ${pluralise(maxUrlLength, 'character')}.`;
    throw new Problem('uri_too_long', detail);
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw ambiguousRequest(`HTTP/${httpVersion} is not supported. Send HTTP/1.1.`);
  }
  if (!url.startsWith('/') && !(url === '*' && request.method === 'OPTIONS')) {
    throw ambiguousRequest('The request target must be a path. Send the host in the Host header.');
  }
  const hosts = headerValues(request, 'host');
  if (hosts.length === 0 && httpVersion === '1.1') {
    throw ambiguousRequest('The Host header is required.', 'Host');
  }
  if (hosts.length > 1) throw ambiguousRequest('The Host header must not be repeated.', 'Host');
  if (hosts.length === 1 && !hostPattern.test(hosts[0]!)) {
    throw ambiguousRequest(
      'The Host header must be a host name or IP address with an optional port.',
      'Host',
    );
  }
  const codings = headerValues(request, 'transfer-encoding');
  if (codings.length > 0) requireChunked(request, codings);
  requireShortNegotiation(request);
  if (!url.includes('%')) return;
  try {
    decodeURIComponent(url.split('?', 1)[0]!);
  } catch {
    throw new Problem(
      'malformed_request',
      'The path contains a percent escape that is not valid UTF-8.',
    );
  }
}

/** The headers by which a client selects a representation, compared with all available ones. */
const negotiationHeaders = ['Accept', 'Accept-Encoding', 'Accept-Language'];
/** Browsers send about 150 characters. Parsing thousands of types takes tens of milliseconds. */
const maxNegotiationLength = 1_024;

function requireShortNegotiation({ headers }: IncomingMessage): void {
  for (const header of negotiationHeaders) {
    const value = headers[header.toLowerCase()];
    if (value === undefined || value.length <= maxNegotiationLength) continue;
    const detail = `The ${header} header must have at most ${pluralise(maxNegotiationLength, 'character')}.`;
    throw new Problem('malformed_request', detail, {
      errors: [{ header, code: 'malformed_request', detail }],
    });
  }
}

function requireChunked(request: IncomingMessage, codings: string[]): void {
  const header = 'Transfer-Encoding';
  if (request.httpVersion === '1.0')
    throw ambiguousRequest('Transfer-Encoding is not allowed with HTTP/1.0.', header);
  if (codings.length > 1 || codings[0]!.toLowerCase() !== 'chunked') {
    throw ambiguousRequest('Transfer-Encoding must be chunked.', header);
  }
  if (request.headers['content-length'] !== undefined) {
    throw ambiguousRequest('Send Content-Length or Transfer-Encoding, not both.', header);
  }
}

/** 400. The end of the message is uncertain, so the connection is closed. */
function ambiguousRequest(detail: string, header?: string): Problem {
  return new Problem('malformed_request', detail, {
    headers: { Connection: 'close' },
    ...(header ? { errors: [{ header, code: 'malformed_request', detail }] } : {}),
  });
}

/**
 * The address of the client; null if unknown. Behind a trusted proxy, it is the last entry of
 * X-Forwarded-For, which the proxy added. Clients can forge the entries before it.
 */
export function addressOf({ settings }: Pick<Deps, 'settings'>, ctx: Context): string | null {
  const forwarded = settings.trustProxy
    ? ctx.get('X-Forwarded-For').split(',').at(-1)?.trim()
    : undefined;
  return canonicalAddress(forwarded ?? '') ?? canonicalAddress(ctx.req.socket.remoteAddress ?? '');
}

/** The canonical form of an address (IPv4 for IPv4-mapped IPv6); null if it is invalid. */
const canonicalAddress = remember((text: string): string | null =>
  ipaddr.isValid(text) ? ipaddr.process(text).toString() : null,
);
