import type { PlantedSecret } from './maker.ts';
import { compact } from './secrets.ts';

/** The text that was read from a file by any means, and how to search it. */
export interface Reading {
  /** Which tool read it. */
  by: string;
  text: string;
  /**
   * `text`: words, in which a part of a secret is a leak already; `bytes`: syntax and numbers, where
   * only a whole secret means anything; `codes`: hex of strings in a font's own numbering.
   * `picture`: words read from pixels, where 0 may be O.
   */
  kind: 'text' | 'bytes' | 'codes' | 'picture';
}

export interface Leak {
  secret: PlantedSecret;
  by: string;
  /** The visible part of the secret. */
  seen: string;
}

/** Minimum number of consecutive letters and digits of a secret that are a leak. */
const fragmentLength = 6;

/** Folds letters that a recogniser mistakes for one another. */
export function fold(text: string): string {
  return text.replace(
    /[oilszbg]/g,
    (letter) => ({ o: '0', i: '1', l: '1', s: '5', z: '2', b: '8', g: '9' })[letter] ?? letter,
  );
}

/** Returns every secret that is at least partly shown in a reading. */
export function findLeaks(readings: readonly Reading[], secrets: readonly PlantedSecret[]): Leak[] {
  const leaks: Leak[] = [];
  const searched = new Map<Reading, string>();
  for (const reading of readings) {
    if (reading.kind === 'codes') searched.set(reading, reading.text);
    else {
      const plain = compact(reading.text.replaceAll('\0', ''));
      searched.set(reading, reading.kind === 'picture' ? fold(plain) : plain);
    }
  }
  for (const secret of secrets) {
    for (const [reading, text] of searched) {
      const seen = formsOf(secret, reading.kind).find((part) => text.includes(part));
      if (seen !== undefined) leaks.push({ secret, by: reading.by, seen });
    }
  }
  return leaks;
}

/** Returns the forms of a secret in a reading of this kind: whole first, then its fragments. */
function formsOf(secret: PlantedSecret, kind: Reading['kind']): string[] {
  if (kind === 'codes') {
    return secret.codes.flatMap((codes) => {
      const width = codes.length / [...secret.value].length;
      return windows(codes, fragmentLength * width, width);
    });
  }
  const plain = compact(secret.value);
  if (kind === 'bytes') return [plain];
  const text = kind === 'picture' ? fold(plain) : plain;
  return [text, ...windows(text, fragmentLength, 1)];
}

function windows(text: string, length: number, step: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at + length <= text.length; at += step) parts.push(text.slice(at, at + length));
  return parts;
}
