/**
 * Addresses that no webhook may reach, in every spelling. The ranges are computed here
 * independently, so that an error in the library or in the tested list is not repeated.
 */

/** IANA's special-purpose registries, and what clouds keep behind public-looking addresses. */
const RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
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
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/32',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
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
/** Reserved as a whole: assigned parts are not public either. */
const IETF = '2001::/23';

const METADATA = [
  '100.100.100.200',
  '168.63.129.16',
  '169.254.0.23',
  '169.254.42.42',
  '169.254.169.123',
  '169.254.169.253',
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '192.0.0.192',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'fd00:c1::a9fe:a9fe',
  'fd00:ec2::23',
  'fd00:ec2::253',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
];

/** Their IPv6 forms lead to the same place. */
const DISGUISED = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1', '168.63.129.16'];

interface Range {
  version: 4 | 6;
  first: bigint;
  last: bigint;
}

const ranges = [...RANGES, IETF].map(rangeOf);

/** The first and last address of every range, and IPv6 addresses that embed such addresses. */
export const forbidden: readonly string[] = [
  ...new Set([
    ...ranges.flatMap(({ version, first, last }) => [
      format(first, version),
      format(first + (last - first) / 2n, version),
      format(last, version),
    ]),
    ...METADATA.map((address) => format(parse(address), versionOf(address))),
    ...DISGUISED.flatMap(disguises),
    '4000:0:0:0:0:0:0:1',
    'e000:0:0:0:0:0:0:1',
  ]),
];

/** Public addresses next to the ranges. */
export const justOutside: readonly string[] = [
  ...new Set(
    ranges.flatMap(({ version, first, last }) => {
      const end = version === 4 ? 2n ** 32n : 2n ** 128n;
      return [first - 1n, last + 1n]
        .filter((value) => value >= 0n && value < end && isInternet(value, version))
        .map((value) => format(value, version));
    }),
  ),
];

/** Hosts as an attacker writes them in a URL to bypass a check. */
export const spellings: readonly string[] = [
  ...new Set([
    ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0'].flatMap(spell),
    '127.1',
    '0x7f.1',
    '0177.1',
    '0',
    '0x0',
    '00000000000000000177.0.0.1',
    '[0:0:0:0:0:0:0:1]',
    '[::1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[FE80::1]',
    '[FD00:EC2::254]',
  ]),
];

/** Whether this file's own arithmetic counts an address as public. */
function isInternet(value: bigint, version: 4 | 6): boolean {
  if (version === 6 && value >> 125n !== 1n) return false;
  return !ranges.some(
    (range) => range.version === version && value >= range.first && value <= range.last,
  );
}

/** The IPv6 addresses that lead to an IPv4 address, by gateway, tunnel or kernel. */
function disguises(v4: string): string[] {
  const value = parse(v4);
  const at = (prefix: string) => parse(prefix) | value;
  return [
    at('::ffff:0:0'), // mapped
    at('::'), // compatible
    at('::ffff:0:0:0'), // translated
    at('64:ff9b::'), // NAT64
    at('64:ff9b:1::'), // NAT64, local
    parse('2002::') | (value << 80n), // 6to4
    parse('2001:0:4136:e378:8000:63bf::') | (value ^ 0xffffffffn), // Teredo
    at('2606:4700::5efe:0:0'), // ISATAP under a public prefix
    at('2606:4700::200:5efe:0:0'),
  ].map((address) => format(address, 6));
}

function spell(address: string): string[] {
  const value = Number(parse(address));
  const bytes = address.split('.').map(Number);
  const each = (write: (byte: number) => string) => bytes.map(write).join('.');
  const [a, b, c, d] = bytes as [number, number, number, number];
  const group = (high: number, low: number) => ((high << 8) | low).toString(16);
  const hex = `${group(a, b)}:${group(c, d)}`;
  const wide = (zero: number) =>
    address.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  return [
    address,
    `${address}.`,
    String(value),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    each((byte) => `0x${byte.toString(16)}`),
    each((byte) => `0${byte.toString(8)}`),
    each((byte) => `000${byte.toString(8)}`),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
    wide(0xff10), // full-width digits
    wide(0x1d7ce), // mathematical bold digits
    address.replaceAll('.', '\u3002'), // ideographic full stop
    address.replaceAll('.', '\uff0e'), // full-width full stop
    [...address].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
    `[::ffff:${address}]`,
    `[::FFFF:${hex.toUpperCase()}]`,
    `[0:0:0:0:0:ffff:${hex}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:FF9B::${hex}]`,
    `[2002:${hex}::]`,
  ];
}

function rangeOf(cidr: string): Range {
  const [address, prefix] = cidr.split('/') as [string, string];
  const version = versionOf(address);
  const size = 2n ** (BigInt(version === 4 ? 32 : 128) - BigInt(prefix));
  const first = (parse(address) / size) * size;
  return { version, first, last: first + size - 1n };
}

function versionOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}

function parse(address: string): bigint {
  if (versionOf(address) === 4) {
    return address.split('.').reduce((value, byte) => value * 256n + BigInt(byte), 0n);
  }
  const [head = '', tail] = address.split('::');
  const words = (part: string | undefined) => (part ? part.split(':') : []);
  const filled = [
    ...words(head),
    ...Array<string>(tail === undefined ? 0 : 8 - words(head).length - words(tail).length).fill(
      '0',
    ),
    ...words(tail),
  ];
  return filled.reduce((value, word) => value * 65_536n + BigInt(`0x${word}`), 0n);
}

function format(value: bigint, version: 4 | 6): string {
  const [parts, bits, radix, dot] = version === 4 ? [4, 8n, 10, '.'] : [8, 16n, 16, ':'];
  return Array.from({ length: Number(parts) }, (_, at) =>
    (
      (value >> (BigInt(Number(parts) - 1 - at) * BigInt(bits))) &
      (2n ** BigInt(bits) - 1n)
    ).toString(Number(radix)),
  ).join(String(dot));
}
