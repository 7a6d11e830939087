import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../../contracts/problems.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** 32 MiB and about a tenth of a second. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;

/** How many derivations may wait. */
const mostWaiting = 100;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs one derivation at a time: each occupies a thread that file access needs, too.
 * @throws Problem 429 if too many wait
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= mostWaiting) {
    const headers = { 'Retry-After': '5' };
    throw new Problem('rate_limited', 'Too many passwords are being checked.', { headers });
  }
  waiting += 1;
  const turn = last.then(work).finally(() => {
    waiting -= 1;
  });
  last = turn.catch(() => undefined);
  return turn;
}

/** The hash of a password (scrypt), with its salt and cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await inTurn(() => derive(password.normalize('NFKC'), salt, keyBytes, cost));
  return [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$');
}

/** Whether a password has this hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', stored = ''] = hash.split('$');
  const wanted = Buffer.from(stored, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: cost.maxmem };
  const key = await inTurn(() =>
    derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), wanted.length, options),
  );
  return timingSafeEqual(key, wanted);
}
