import { randomFillSync } from 'node:crypto';

/** Every kind of identifier of the API, with its prefix. */
export const idPrefixes = {
  project: 'prj',
  deletion: 'del',
  key: 'key',
  user: 'usr',
  member: 'mem',
  invitation: 'inv',
  session: 'ses',
  object: 'obj',
  image: 'img',
  collection: 'col',
  share: 'shr',
  policy: 'pol',
  retention_rule: 'ret',
  erasure: 'era',
  job: 'job',
  preset: 'pst',
  review: 'rev',
  finding: 'fnd',
  pack: 'pack',
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

let clock = (): number => Date.now();

/**
 * Sets the clock of identifiers, in whole milliseconds since 1970. Postgres compares identifiers of
 * events with its own time, so a process that opens a database uses that time for them.
 * @returns the previous clock
 */
export function setIdClock(read: () => number): () => number {
  const previous = clock;
  if (read !== previous) {
    clock = read;
    // Identifiers continue from the last one, which the previous clock may have dated ahead.
    lastTime = 0;
  }
  return previous;
}

let lastTime = 0;
let lastCounter = 0;
/** `lastTime` as the first ten characters of an identifier. */
let lastTimeText = '';

/**
 * Creates an identifier: prefix, underscore, and a UUIDv7 (RFC 9562 §5.7) as 26 lowercase Crockford
 * base32 characters. Identifiers sort by the millisecond of their creation and, within one process,
 * by order of creation (the 12 bits after the time count up).
 */
export function newId(kind: IdKind): string {
  const now = clock();
  const at = takeRandom();
  if (now > lastTime) {
    setLastTime(now);
    lastCounter = randomPool.readUInt16BE(at) & 0x3ff;
  } else if (++lastCounter > 0xfff) {
    setLastTime(lastTime + 1);
    lastCounter = 0;
  }
  // Version and counter, the variant, 62 random bits.
  return `${idPrefixes[kind]}_${lastTimeText}${encodeFortyBits(
    0x70 | (lastCounter >> 8),
    lastCounter & 0xff,
    (randomPool[at + 2]! & 0x3f) | 0x80,
    randomPool[at + 3]!,
    randomPool[at + 4]!,
  )}${encodeFortyBits(randomPool[at + 5]!, randomPool[at + 6]!, randomPool[at + 7]!, randomPool[at + 8]!, randomPool[at + 9]!)}`;
}

/** Random bytes per identifier: two for the start of the counter, eight for the random bits. */
const randomPerId = 10;
/**
 * Filled for many identifiers at once, because generating 10 bytes costs as much as thousands.
 */
const randomPool = Buffer.alloc(randomPerId * 512);
let randomUsed = randomPool.length;

/** Returns the offset of ten unused random bytes. */
function takeRandom(): number {
  if (randomUsed === randomPool.length) {
    randomFillSync(randomPool);
    randomUsed = 0;
  }
  const at = randomUsed;
  randomUsed += randomPerId;
  return at;
}

function setLastTime(time: number): void {
  lastTime = time;
  lastTimeText = encodeTime(time);
}

function encodeTime(time: number): string {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(time, 0, 6);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = bytes;
  return characterPairs[a]! + encodeFortyBits(b, c, d, e, f);
}

/** The lower bound of identifiers created at or after a time; `id_floor` in SQL. */
export function idFloor(kind: IdKind, time: number): string {
  return `${idPrefixes[kind]}_${encodeTime(time)}${'0'.repeat(16)}`;
}

/** Ten bits as two characters. */
const characterPairs: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => alphabet[bits >> 5]! + alphabet[bits & 31]!,
);

/** Five bytes as eight characters. */
function encodeFortyBits(a: number, b: number, c: number, d: number, e: number): string {
  return (
    characterPairs[(a << 2) | (b >> 6)]! +
    characterPairs[((b & 0x3f) << 4) | (c >> 4)]! +
    characterPairs[((c & 0xf) << 6) | (d >> 2)]! +
    characterPairs[((d & 3) << 8) | e]!
  );
}

const patterns = Object.fromEntries(
  Object.entries(idPrefixes).map(([kind, prefix]) => [
    kind,
    new RegExp(`^${prefix}_[0-7][${alphabet}]{25}$`),
  ]),
) as Record<IdKind, RegExp>;

/** Whether a string is a well-formed identifier of this kind. */
export function isId(kind: IdKind, value: string): boolean {
  return patterns[kind].test(value);
}

/** The JSON Schema pattern of an identifier of this kind. */
export function idPattern(kind: IdKind): string {
  return patterns[kind].source;
}
