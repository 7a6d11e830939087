/**
 * The rules for a webhook's URL and custom headers. Pure: `address.ts` and `resolve.ts` check the
 * addresses behind the name.
 */
import { isIP } from 'node:net';
import type { AddressPolicy } from './address.ts';

export type DestinationErrorCode =
  | 'url_invalid'
  | 'url_scheme_not_allowed'
  | 'url_userinfo_not_allowed'
  | 'url_port_not_allowed'
  | 'destination_not_allowed'
  | 'dns_not_found'
  | 'dns_failed';

/** A URL that webhooks cannot be sent to. The message is for the person who entered the URL. */
export class DestinationError extends Error {
  override readonly name = 'DestinationError';
  readonly code: DestinationErrorCode;
  constructor(code: DestinationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A URL, parsed for dialling. `host` is the name or the bare address, without brackets. */
export interface Destination {
  origin: string;
  protocol: 'http:' | 'https:';
  host: string;
  isLiteral: boolean;
  path: string;
  /** The error if the URL resolves to public addresses; null if these are allowed. */
  publicAddressError: DestinationError | null;
}

const MAX_URL_LENGTH = 2048;

// Names that are only meaningful inside a network (RFC 6761, 6762, 7686, 8375, 9476).
const RESERVED_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
  'alt',
  'invalid',
  'test',
  'example',
  'arpa',
];

// Services above port 1023 that do not speak HTTP and can be harmed or fingerprinted by it: from
// the Fetch standard's bad ports, and the usual databases, caches and control planes.
const DENIED_PORTS = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3268, 3306, 3389, 3659, 4045, 4190,
  5060, 5061, 5432, 5672, 5900, 6000, 6379, 6380, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 9042,
  9092, 9200, 9300, 10080, 10250, 11211, 27017, 27018,
]);

/** The error for every denied address, always the same so that it cannot be used to map a network. */
export function destinationNotAllowed(): DestinationError {
  return new DestinationError(
    'destination_not_allowed',
    'The URL resolves to an address that is not allowed. Use a URL that is reachable on the public internet.',
  );
}

/**
 * Parses a URL as `new URL` does (which turns 2130706433, 0x7f.1 and full-width digits into plain
 * addresses) and checks what can be checked without DNS.
 * @throws DestinationError `url_invalid`, `url_scheme_not_allowed`, `url_userinfo_not_allowed`,
 *   `url_port_not_allowed`
 */
export function parseDestination(text: string): Destination {
  const url = parseUrl(text);
  // Checked as written: `new URL` would also accept "https:host" and line breaks.
  if (
    !url ||
    text.length > MAX_URL_LENGTH ||
    !/^https?:\/\/[^\s/\\]/i.test(text) ||
    /\s/.test(text)
  ) {
    if (url && url.protocol !== 'https:' && url.protocol !== 'http:') throw schemeNotAllowed();
    throw new DestinationError(
      'url_invalid',
      `The URL is invalid. It must be absolute and have at most ${MAX_URL_LENGTH} characters, such as https://example.com/hooks.`,
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw schemeNotAllowed();
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    throw new DestinationError(
      'url_userinfo_not_allowed',
      'The URL must not contain a user name or password. Send credentials in a header of the webhook.',
    );
  }
  const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  // One trailing dot means the same host, but in a request it would break SNI and certificates.
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host === '' || host.endsWith('.')) {
    throw new DestinationError('url_invalid', 'The host name of the URL is invalid.');
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port === 0) throw portNotAllowed(port);
  const isLiteral = isIP(host) !== 0;
  return {
    origin: `${url.protocol}//${host.includes(':') ? `[${host}]` : host}${url.port ? `:${url.port}` : ''}`,
    protocol: url.protocol,
    host,
    isLiteral,
    path: `${url.pathname}${url.search}`,
    publicAddressError: publicAddressErrorOf(url.protocol, host, isLiteral, port),
  };
}

function parseUrl(text: string): URL | undefined {
  // Not URL.canParse: once Node 20 has compiled it, it rejects letters such as ü (measured).
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks every address of the destination's name.
 * @throws DestinationError if one of them is denied, or if the URL (http, a port, a reserved name)
 *   requires allowed ranges and one of them is in none
 */
export function admitDestination(
  destination: Destination,
  addresses: readonly string[],
  policy: AddressPolicy,
): void {
  const verdicts = addresses.map((address) => policy.judge(address));
  if (verdicts.length === 0 || verdicts.includes('denied')) throw destinationNotAllowed();
  if (destination.publicAddressError && verdicts.includes('public'))
    throw destination.publicAddressError;
}

/** Whether the name means this machine; it must never be sent to a public resolver. */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** A header that a webhook may not set, or not with this value. */
export interface HeaderProblem {
  header: string;
  code:
    | 'header_reserved'
    | 'header_name_invalid'
    | 'header_value_invalid'
    | 'header_duplicate'
    | 'headers_too_many';
  message: string;
}

const MAX_HEADERS = 20;
const MAX_HEADER_VALUE = 4096;
const RESERVED_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'metadata',
  'metadata-flavor',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const RESERVED_HEADER_PREFIXES = ['webhook-', 'proxy-', 'x-aws-ec2-metadata-', 'sec-'];

/** The problems of a webhook's custom headers; empty if there are no problems. */
export function validateHeaders(headers: Readonly<Record<string, string>>): HeaderProblem[] {
  const problems: HeaderProblem[] = [];
  const seen = new Set<string>();
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) {
    problems.push({
      header: '',
      code: 'headers_too_many',
      message: `There are ${names.length} headers; at most ${MAX_HEADERS} are allowed.`,
    });
  }
  // Headers past the limit are rejected anyway.
  for (const name of names.slice(0, MAX_HEADERS)) {
    const lowerName = name.toLowerCase();
    const displayName = name.slice(0, 64);
    const add = (code: HeaderProblem['code'], message: string) =>
      problems.push({ header: displayName, code, message });
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name)) {
      add(
        'header_name_invalid',
        `${JSON.stringify(displayName)} is not a valid header name (RFC 9110 §5.1).`,
      );
    } else if (isReservedHeader(lowerName)) {
      add(
        'header_reserved',
        `The header ${displayName} is set by the service and cannot be changed.`,
      );
    } else if (seen.has(lowerName)) {
      add('header_duplicate', `The header ${displayName} appears more than once.`);
    }
    seen.add(lowerName);
    const value = headers[name] ?? '';
    if (
      value.length > MAX_HEADER_VALUE ||
      !/^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(value)
    ) {
      add(
        'header_value_invalid',
        `The value of ${displayName} must be at most ${MAX_HEADER_VALUE} printable ASCII characters, without line breaks and without leading or trailing spaces.`,
      );
    }
  }
  return problems;
}

const FRAMING_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether the HTTP client sets this header; a second one could smuggle a request. */
export function isFramingHeader(name: string): boolean {
  return FRAMING_HEADERS.has(name.toLowerCase());
}

function isReservedHeader(lowerName: string): boolean {
  return (
    RESERVED_HEADERS.has(lowerName) ||
    RESERVED_HEADER_PREFIXES.some((prefix) => lowerName.startsWith(prefix))
  );
}

function publicAddressErrorOf(
  protocol: string,
  host: string,
  isLiteral: boolean,
  port: number,
): DestinationError | null {
  if (!isLiteral && isReservedName(host)) return destinationNotAllowed();
  if (protocol !== 'https:') return schemeNotAllowed();
  if (port !== 443 && (port < 1024 || DENIED_PORTS.has(port))) return portNotAllowed(port);
  return null;
}

function isReservedName(host: string): boolean {
  if (!host.includes('.')) return true;
  return RESERVED_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

function schemeNotAllowed(): DestinationError {
  return new DestinationError(
    'url_scheme_not_allowed',
    'Webhooks require https. Use a URL that starts with https://.',
  );
}

function portNotAllowed(port: number): DestinationError {
  return new DestinationError(
    'url_port_not_allowed',
    `Port ${port} is not allowed. Use 443, or a port from 1024 that serves https.`,
  );
}
