/** Resolves a host name to addresses, without delaying look-ups for other receivers. */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressPolicy } from './address.ts';
import {
  admitDestination,
  type Destination,
  DestinationError,
  destinationNotAllowed,
  isLocalhost,
} from './destination.ts';

/** Returns every address of a name that is not a literal address. Rejects if it has no address. */
export type Lookup = (hostname: string) => Promise<string[]>;

const MAX_ADDRESSES = 64;

/**
 * The addresses to dial, all of them checked. A literal needs no DNS.
 * @throws DestinationError `destination_not_allowed`, `url_*_not_allowed`, `dns_not_found`,
 *   `dns_failed`
 */
export async function resolveDestination(
  destination: Destination,
  policy: AddressPolicy,
  lookup: Lookup,
): Promise<string[]> {
  const addresses = destination.isLiteral
    ? [destination.host]
    : await lookUp(destination, policy, lookup);
  admitDestination(destination, addresses, policy);
  return addresses;
}

async function lookUp(
  destination: Destination,
  policy: AddressPolicy,
  lookup: Lookup,
): Promise<string[]> {
  if (isLocalhost(destination.host)) {
    // RFC 6761: always loopback, never resolved by DNS. Only allowed addresses are used, so
    // allowing 127.0.0.0/8 is enough on a machine that also has ::1.
    return ['127.0.0.1', '::1'].filter((address) => policy.judge(address) === 'allowed');
  }
  let addresses: string[];
  try {
    addresses = await lookup(destination.host);
  } catch (error) {
    // Whether an internal name exists must not be disclosed.
    if (destination.publicAddressError?.code === 'destination_not_allowed')
      throw destinationNotAllowed();
    throw dnsError(destination.host, codeOf(error));
  }
  if (addresses.length === 0) throw dnsError(destination.host, 'ENOTFOUND');
  if (addresses.length > MAX_ADDRESSES || addresses.some((address) => isIP(address) === 0)) {
    throw destinationNotAllowed();
  }
  return addresses;
}

function dnsError(host: string, code: string): DestinationError {
  const isMissing = code === 'ENOTFOUND' || code === 'ENODATA';
  return isMissing
    ? new DestinationError(
        'dns_not_found',
        `The host name ${host} has no address: no A or AAAA record was found. Correct the URL, or add the record.`,
      )
    : new DestinationError(
        'dns_failed',
        `The addresses of ${host} could not be looked up: its name servers returned an error. Check the name servers of the domain.`,
      );
}

/**
 * Creates the look-up that is used outside of tests. It queries the name servers directly (c-ares):
 * `dns.lookup` occupies one of the four threads of libuv until a name server responds or times out,
 * and four such receivers would block all file access of the process. Names that only the system knows (hosts
 * file, search domains) are resolved by the system, at most two at a time.
 */
export function createLookup(options: { timeoutMs: number; servers?: readonly string[] }): {
  lookup: Lookup;
  close(): void;
} {
  const resolver = new Resolver({ timeout: options.timeoutMs, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);
  const limitSystemLookups = createLimiter(2);

  const lookup: Lookup = async (hostname) => {
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    const codes = answers.map((a) => (a.status === 'rejected' ? codeOf(a.reason) : 'ENODATA'));
    // c-ares returns ECONNREFUSED without name servers, as on a machine with only a hosts file.
    const isUnknown = codes.every((code) =>
      ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'].includes(code),
    );
    if (!isUnknown) {
      const reason = codes.find((code) => code !== 'ENODATA') ?? 'ETIMEOUT';
      throw Object.assign(new Error('DNS look-up failed'), { code: reason });
    }
    const entries = await limitSystemLookups(() =>
      systemLookup(hostname, { all: true, verbatim: true }),
    );
    return entries.map((entry) => entry.address);
  };
  return { lookup, close: () => resolver.cancel() };
}

/** Creates a function that runs at most `count` of its arguments at a time, in order. */
function createLimiter(count: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (run) => {
    // A free slot goes directly to the next in the queue, so that no later call can take it.
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'UNKNOWN';
}
