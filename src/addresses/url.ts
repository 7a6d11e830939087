import { formatAlternatives } from '@scriptorium/contracts/alternatives';

/**
 * A URL of Postgres or Redis that cannot be used. The message gives the reason, and never repeats
 * the URL.
 */
export class AddressError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressError';
  }
}

export interface Host {
  host: string;
  port: number;
}

/** The parts of a URL that may have several hosts; the WHATWG parser accepts only one. */
export interface AddressParts {
  scheme: string;
  username: string | null;
  password: string | null;
  hosts: Host[];
  /** The segments of the path, without empty ones. */
  path: string[];
  params: ReadonlyMap<string, string>;
}

interface UrlRules {
  schemes: readonly string[];
  defaultPort: number;
  /** Only the given parameters; null if the caller checks them. */
  params: readonly string[] | null;
}

const urlPattern = /^([a-z][a-z+]*):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

/**
 * Reads a URL, ignoring white space around it: secrets often end in a line break.
 * @throws AddressError
 */
export function readParts(text: string, { schemes, defaultPort, params }: UrlRules): AddressParts {
  const [, scheme = '', login, hosts = '', path = '', query = ''] =
    urlPattern.exec(text.trim()) ?? [];
  if (!schemes.includes(scheme)) {
    throw new AddressError(
      `must be a URL that starts with ${formatAlternatives(schemes.map((one) => `${one}://`))}; special characters of the password must be percent-encoded`,
    );
  }
  // The part of a password after an unencoded / or ? must not be read as another part of the URL.
  if (`${path}${query}`.includes('@')) {
    throw new AddressError(
      'has an @ after the hosts: special characters of the password, and an @ elsewhere, must be percent-encoded',
    );
  }
  const [username, ...password] = (login ?? '').split(':');
  return {
    scheme,
    username: decode(username ?? '') || null,
    password: decode(password.join(':')) || null,
    hosts: hosts
      .split(',')
      .filter((one) => one !== '')
      .map((one) => readHost(one, defaultPort)),
    path: path
      .split('/')
      .filter((one) => one !== '')
      .map(decode),
    params: readParams(query, params),
  };
}

/**
 * Parses a port. The error does not repeat it: in a URL without its @, it may be the password.
 * @throws AddressError
 */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new AddressError('has a port that is not a number between 1 and 65535');
}

function readHost(text: string, defaultPort: number): Host {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(.*))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new AddressError('has a host that is not in the form host:port');
  return { host: decode(host), port: port === undefined ? defaultPort : readPort(port) };
}

function readParams(query: string, knownNames: readonly string[] | null): Map<string, string> {
  const params = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (knownNames && !knownNames.includes(name)) throw unknownParameter(name, knownNames);
    if (params.has(name)) throw new AddressError(`has the parameter '${name}' more than once`);
    params.set(name, value);
  }
  return params;
}

export function unknownParameter(name: string, knownNames: readonly string[]): AddressError {
  return new AddressError(
    `has the unknown parameter '${name}' (expected any of ${knownNames.join(', ')})`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError('has a % that is not part of a percent-encoded character: write %25');
  }
}
