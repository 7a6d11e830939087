import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createPasswordTurns, type PasswordParty } from './password-turns.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** A derivation takes 32 MiB and about a tenth of a second. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;

const turns = createPasswordTurns();

/**
 * The hash of a password (scrypt), with its salt and cost.
 * @throws Problem 429 if too many wait
 */
export async function hashPassword(password: string, party: PasswordParty): Promise<string> {
  const salt = randomBytes(16);
  const key = await turns.run(party, () =>
    derive(password.normalize('NFKC'), salt, keyBytes, cost),
  );
  return [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$');
}

/**
 * Whether a password has this hash.
 * @throws Problem 429 if too many wait
 */
export async function verifyPassword(
  password: string,
  hash: string,
  party: PasswordParty,
): Promise<boolean> {
  const [, N, r, p, salt = '', stored = ''] = hash.split('$');
  const expected = Buffer.from(stored, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: cost.maxmem };
  const key = await turns.run(party, () =>
    derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), expected.length, options),
  );
  return timingSafeEqual(key, expected);
}
