import { randomBytes } from 'node:crypto';

/** Every kind of identifier the API shows, with its prefix. */
export const idPrefixes = {
  project: 'prj',
  key: 'key',
  object: 'obj',
  image: 'img',
  collection: 'col',
  policy: 'pol',
  job: 'job',
  event: 'evt',
  webhook: 'whk',
  delivery: 'whd',
  replay: 'rpl',
  consumer: 'con',
  upload: 'upl',
  request: 'req',
  task: 'tsk',
} as const;

export type IdKind = keyof typeof idPrefixes;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

let lastTime = 0;
let lastCounter = 0;

/**
 * A new identifier: prefix, underscore, and the 26 lowercase Crockford base32 characters of a
 * UUIDv7 (RFC 9562 §5.7), so that identifiers sort by the millisecond they were made in and, within
 * one process, by the order they were made in (the 12 bits after the time count up).
 */
export function newId(kind: IdKind): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    lastCounter = randomBytes(2).readUInt16BE() & 0x3ff;
  } else if (++lastCounter > 0xfff) {
    lastTime += 1;
    lastCounter = 0;
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes.writeUInt16BE(0x7000 | lastCounter, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return `${idPrefixes[kind]}_${encodeBase32(bytes)}`;
}

/** 16 bytes as 26 characters: the first carries three bits, each of the others five. */
function encodeBase32(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  const characters = new Array<string>(26);
  for (let at = 25; at >= 0; at--) {
    characters[at] = alphabet[Number(value & 31n)]!;
    value >>= 5n;
  }
  return characters.join('');
}

const patterns = Object.fromEntries(
  Object.entries(idPrefixes).map(([kind, prefix]) => [
    kind,
    new RegExp(`^${prefix}_[0-7][${alphabet}]{25}$`),
  ]),
) as Record<IdKind, RegExp>;

/** Whether a string has the exact form of an identifier of this kind. */
export function isId(kind: IdKind, value: string): boolean {
  return patterns[kind].test(value);
}

/** The JSON Schema pattern of an identifier of this kind. */
export function idPattern(kind: IdKind): string {
  return patterns[kind].source;
}
