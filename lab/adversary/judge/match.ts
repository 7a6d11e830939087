import type { PlantedSecret } from '../../../test/support/corpus/maker.ts';
import { findLeaks, fold, type Reading } from '../../../test/support/corpus/reading.ts';
import { compact } from '../../../test/support/corpus/secrets.ts';

/** A planted value that can be read. */
export interface Sighting {
  secret: PlantedSecret;
  by: string;
  /** Whether the whole value or a part of it can be read. */
  isWhole: boolean;
}

/** The number of letters of a value per possible misread letter. */
const lettersPerError = 6;
const minLetters = 8;
/**
 * A partial match has this share of the value's letters in a row, and at least this many: shorter
 * ones occur by chance.
 */
const partShare = 0.35;
const minPartLength = 7;

/**
 * The values that readings show, in full or in part. A recogniser may have misread, omitted or
 * inserted one letter in six.
 */
export function findSightings(
  readings: readonly Reading[],
  secrets: readonly PlantedSecret[],
): Sighting[] {
  const found = new Map<PlantedSecret, Sighting>();
  const isWords = ({ kind }: Reading): boolean => kind === 'picture' || kind === 'text';
  const inBytes = findLeaks(
    readings.filter((reading) => !isWords(reading)),
    secrets,
  );
  for (const { secret, by } of inBytes) found.set(secret, { secret, by, isWhole: true });
  for (const { by, text } of readings.filter(isWords)) {
    const read = fold(compact(text));
    for (const secret of secrets) {
      const known = found.get(secret);
      if (known?.isWhole) continue;
      const value = fold(compact(secret.value));
      const errors = value.length < minLetters ? 0 : Math.floor(value.length / lettersPerError);
      if (isNear(read, value, errors)) found.set(secret, { secret, by, isWhole: true });
      else if (!known && hasPart(read, value)) found.set(secret, { secret, by, isWhole: false });
    }
  }
  return [...found.values()];
}

function hasPart(text: string, value: string): boolean {
  const length = Math.max(minPartLength, Math.ceil(partShare * value.length));
  for (let at = 0; at + length <= value.length; at += 1) {
    if (text.includes(value.slice(at, at + length))) return true;
  }
  return false;
}

/** Whether a value occurs in a text with at most this many letters changed, omitted or inserted. */
function isNear(text: string, value: string, errors: number): boolean {
  // Row by row through the text: the minimum number of changes with which each prefix of the value
  // ends here.
  let row = Array.from({ length: value.length + 1 }, (_, at) => at);
  for (const letter of text) {
    const next = [0];
    for (let at = 1; at <= value.length; at += 1) {
      const substitution = (row[at - 1] ?? 0) + (value[at - 1] === letter ? 0 : 1);
      next.push(Math.min(substitution, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
    if ((row[value.length] ?? value.length) <= errors) return true;
  }
  return false;
}
