/**
 * Decides to which addresses a webhook may be sent. Addresses are denied by default; one passes if
 * both ipaddr.js and Node's BlockList classify it as public, or if the operator allowed its range.
 * Pure: it works on addresses only, without DNS.
 */
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `public`: allowed for every project. `allowed`: in a range that the operator allowed, where plain
 * http and any port are accepted too. `denied`: never dialled.
 */
type AddressVerdict = 'public' | 'allowed' | 'denied';

/** Evaluates literal addresses, in any notation that a resolver or a socket may use. */
export interface AddressPolicy {
  judge(address: string): AddressVerdict;
}

/** An operator's CIDR range is invalid. */
export class AddressRangeError extends Error {
  override readonly name = 'AddressRangeError';
}

// IANA special-purpose registries (RFC 6890 and later), and addresses of cloud services that look
// public. Includes more than ipaddr.js's `unicast`, which allows ::/96, for example.
const INTERNAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's wire server: libraries take it for an ordinary public address
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const INTERNAL_V6 = [
  '::/96', // unspecified, loopback, IPv4-compatible
  '::ffff:0:0:0/96', // IPv4-translated, RFC 2765
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23', // Teredo, benchmarking, ORCHID and the other IETF protocol assignments
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

// Metadata services, which hand out credentials of the machine: never dialled, even if the operator
// allowed their range.
const METADATA = [
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure
  '169.254.0.23', // Tencent
  '169.254.10.10',
  '169.254.42.42', // Scaleway
  '169.254.169.254', // most clouds
  '169.254.169.253', // AWS DNS
  '169.254.169.123', // AWS time
  '169.254.170.2', // ECS
  '169.254.170.23', // EKS pod identity
  '192.0.0.192', // Oracle
  'fd00:42::42', // Scaleway
  'fd00:100::100:200', // Alibaba
  'fd00:a9fe:a9fe::1', // Linode
  'fd00:c1::a9fe:a9fe', // Oracle
  'fd00:ec2::/32', // AWS: metadata, DNS, time, pod identity
  'fd20:ce::254', // Google
  'fe80::a9fe:a9fe', // OpenStack
];

/** Addresses that can only mean this machine or its link. */
const LOCAL = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '::/127', 'fe80::/10'];

// IANA allocates global unicast addresses only from here; everything else is not (yet) public.
const GLOBAL_V6 = blockListOf(['2000::/3']);

/**
 * Creates the policy. `allowCidrs` are ranges that the operator allows (private receivers, loopback
 * in development). `denyCidrs` are ranges that are denied although they look public, such as the
 * operator's egress addresses. `machineAddresses` are those of this machine, which may serve ports
 * that a firewall hides from others; they are denied unless they are in a range of `allowCidrs`.
 * @throws AddressRangeError for a range that is invalid or covers the whole internet
 */
export function createAddressPolicy(ranges: {
  allowCidrs: readonly string[];
  denyCidrs?: readonly string[];
  machineAddresses?: readonly string[];
}): AddressPolicy {
  const allowed = blockListOf(ranges.allowCidrs);
  const denied = blockListOf(ranges.denyCidrs ?? []);
  const internal = blockListOf([
    ...INTERNAL_V4,
    ...INTERNAL_V6,
    ...(ranges.machineAddresses ?? []),
  ]);
  const metadata = blockListOf(METADATA);

  function judge(address: string): AddressVerdict {
    const parsed = parseAddress(address);
    if (!parsed) return 'denied';
    const text = parsed.toString();
    const family = parsed.kind();
    if (metadata.check(text, family) || denied.check(text, family)) return 'denied';
    // Packets to an IPv6 address with an embedded IPv4 address are routed to the latter, so it must
    // pass too.
    const embedded = embeddedV4(parsed);
    const verdict = allowed.check(text, family)
      ? 'allowed'
      : isPublic(parsed, internal)
        ? 'public'
        : 'denied';
    if (verdict === 'denied' || embedded === undefined) return verdict;
    return judge(embedded) === 'denied' ? 'denied' : verdict;
  }
  return { judge };
}

/**
 * Whether a range contains addresses of the machine itself or of its link, in any notation.
 * @throws AddressRangeError if it is invalid
 */
export function isLocalRange(cidr: string): boolean {
  const range = blockListOf([cidr]);
  const [address, , family] = parseRange(cidr);
  // Two ranges overlap exactly if one of them contains an address of the other.
  return LOCAL.some((local) => {
    const [first, , localFamily] = parseRange(local);
    return range.check(first, localFamily) || blockListOf([local]).check(address, family);
  });
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6, internal: BlockList): boolean {
  const text = address.toString();
  if (address.range() !== 'unicast' || internal.check(text, address.kind())) return false;
  return address.kind() === 'ipv4' || GLOBAL_V6.check(text, 'ipv6');
}

/** Parses an address strictly. An IPv4-mapped IPv6 address becomes the IPv4 address. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // `isIP` rejects the octal, hexadecimal and short notations that `ipaddr.js` accepts. A zone
  // (fe80::1%eth0) is only meaningful on a link, where there are no receivers.
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  // ipaddr.js reads ::127.0.0.1 as ::ffff:127.0.0.1; the hexadecimal form is unambiguous.
  return version === 4
    ? ipaddr.parse(address)
    : ipaddr.process(new URL(`http://[${address}]`).hostname.slice(1, -1));
}

/** The IPv4 address inside a transition address: 6to4, Teredo, NAT64, compatible, ISATAP. */
function embeddedV4(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const b = address.toByteArray();
  const word = (at: number) => ((b[at] ?? 0) << 8) | (b[at + 1] ?? 0);
  const dotted = (at: number, flip = 0) =>
    b
      .slice(at, at + 4)
      .map((byte) => byte ^ flip)
      .join('.');
  if (word(0) === 0x2002) return dotted(2);
  if (word(0) === 0x2001 && word(2) === 0) return dotted(12, 0xff); // the client, obfuscated
  if (word(0) === 0x64 && word(2) === 0xff9b) return dotted(12);
  // :: and ::1 contain no IPv4 address: they are IPv6's own unspecified and loopback addresses.
  if (b.slice(0, 12).every((byte) => byte === 0) && (word(12) !== 0 || word(14) > 1)) {
    return dotted(12);
  }
  if (b.slice(0, 8).every((byte) => byte === 0) && word(8) === 0xffff) return dotted(12);
  if ((word(8) & 0xfdff) === 0 && word(10) === 0x5efe) return dotted(12); // ISATAP, RFC 5214
  return undefined;
}

function blockListOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address, prefix, family] = parseRange(cidr);
    list.addSubnet(address, prefix, family);
  }
  return list;
}

function parseRange(cidr: string): [string, number, 'ipv4' | 'ipv6'] {
  const text = cidr.trim();
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  const prefixText = slash < 0 ? String(width) : text.slice(slash + 1);
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN;
  if (version === 0 || address.includes('%') || !(prefix <= width)) {
    throw new AddressRangeError(
      `${JSON.stringify(cidr)} is not a valid address range. Expected a CIDR range such as 10.1.0.0/16 or fd12:3456::/32.`,
    );
  }
  if (prefix === 0) {
    throw new AddressRangeError(
      `${JSON.stringify(cidr)} is the whole internet, which would disable the check of addresses. Use narrower ranges.`,
    );
  }
  if (version === 6 && overlapsMapped(address, prefix)) {
    throw new AddressRangeError(
      `${JSON.stringify(cidr)} contains IPv4-mapped addresses. Write it as an IPv4 range, such as 10.1.0.0/16.`,
    );
  }
  return [address, prefix, version === 4 ? 'ipv4' : 'ipv6'];
}

/**
 * Whether an IPv6 range and ::ffff:0:0/96 overlap; Node's BlockList would then match all of IPv4.
 */
function overlapsMapped(address: string, prefix: number): boolean {
  const range = new BlockList();
  range.addSubnet(address, prefix, 'ipv6');
  const mapped = new BlockList();
  mapped.addSubnet('::ffff:0:0', 96, 'ipv6');
  return range.check('::ffff:0:0', 'ipv6') || mapped.check(address, 'ipv6');
}
