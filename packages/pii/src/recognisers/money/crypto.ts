import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/**
 * Checks a Bitcoin address in base58: version, hash, and the first four bytes of a double SHA-256.
 */
function isBase58Check(address: string): boolean {
  let number = 0n;
  for (const sign of address) {
    const digit = base58.indexOf(sign);
    if (digit < 0) return false;
    number = number * 58n + BigInt(digit);
  }
  if (number >> 200n) return false;
  const bytes = Buffer.from(number.toString(16).padStart(50, '0'), 'hex');
  const check = sha256(sha256(bytes.subarray(0, 21))).subarray(0, 4);
  return (bytes[0] === 0 || bytes[0] === 5) && check.equals(bytes.subarray(21));
}

const charset = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Checks BIP 173 (version 0) and BIP 350 (later versions), only for the prefix `bc` of Bitcoin. */
function isBech32(address: string): boolean {
  const values = Array.from(address.slice(3), (sign) => charset.indexOf(sign));
  let check = 1;
  for (const value of [3, 3, 0, 2, 3, ...values]) {
    if (value < 0) return false;
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) check ^= generator;
  }
  return check >>> 0 === (values[0] === 0 ? 1 : 0x2bc830a3);
}

/**
 * Checks EIP-55, in which the case of the letters is a checksum. An address in a single case has no
 * checksum.
 */
function isEthereum(address: string): boolean {
  const hex = address.slice(2);
  if (hex === hex.toLowerCase() || hex === hex.toUpperCase()) return true;
  // Keccak before the change in FIPS 202, which node:crypto does not provide.
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex.toLowerCase())));
  return [...hex].every(
    (sign, index) =>
      /\d/.test(sign) ||
      Number.parseInt(hash[index] ?? '0', 16) > 7 === (sign === sign.toUpperCase()),
  );
}

/** Replaces characters that base58 and bech32 exclude because they resemble others. */
const correctBase58 = (text: string) => text.replace(/[0O]/g, 'o').replace(/[lI]/g, '1');
const correctBech32 = (text: string) =>
  text.slice(0, 3) +
  text.slice(3).toLowerCase().replaceAll('o', '0').replace(/[1i]/g, 'l').replaceAll('b', '6');

const wordEdges = ['(?<![A-Za-z0-9])', '(?![A-Za-z0-9])'] as const;
const base58Form = new RegExp(`${wordEdges[0]}[13lI][A-Za-z0-9]{24,34}${wordEdges[1]}`, 'g');
const bech32Form = new RegExp(
  `${wordEdges[0]}(?:bc|BC)[1lI][A-Za-z0-9]{38,60}${wordEdges[1]}`,
  'g',
);
const ethereumForm = new RegExp(`${wordEdges[0]}[0O]x[0-9A-Fa-fOl]{40}${wordEdges[1]}`, 'g');

export const cryptoAddress: PiiRecogniser = {
  context: contextWords([
    'bitcoin',
    'btc',
    'ethereum',
    'eth',
    'wallet',
    'crypto*',
    'blockchain',
    'coin',
    'ledger',
  ]),
  against: null,
  *candidates({ text, recognised }) {
    const recognise =
      (check: (address: string) => boolean, correct: (address: string) => string) =>
      (match: RegExpExecArray): PiiCandidate | null => {
        const [address] = match;
        if (!check(address) && !(recognised && check(correct(address)))) return null;
        const end = match.index + address.length;
        return { start: match.index, end, alone: 0.95, inContext: 0.99 };
      };
    yield* matches(text, base58Form, recognise(isBase58Check, correctBase58));
    const isSingleCaseBech32 = (address: string) =>
      (address === address.toLowerCase() || address === address.toUpperCase()) &&
      isBech32(address.toLowerCase());
    yield* matches(
      text,
      bech32Form,
      recognise(isSingleCaseBech32, (found) => correctBech32(`bc1${found.slice(3)}`)),
    );
    const correctHex = (address: string) =>
      `0x${address.slice(2).replaceAll('O', '0').replaceAll('l', '1')}`;
    const isEthereumAddress = (address: string) =>
      /^0x[0-9A-Fa-f]{40}$/.test(address) && isEthereum(address);
    yield* matches(text, ethereumForm, recognise(isEthereumAddress, correctHex));
  },
};
