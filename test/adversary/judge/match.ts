import type { PlantedSecret } from '../../support/corpus/maker.ts';
import { findLeaks, fold, type Reading } from '../../support/corpus/reading.ts';
import { compact } from '../../support/corpus/secrets.ts';

/** A planted value that can be read. */
export interface Sighting {
  secret: PlantedSecret;
  by: string;
  /** Whether all of it can be read, or a part. */
  isWhole: boolean;
}

/** So many letters of a value may each be one that was misread. */
const lettersPerError = 6;
const leastLetters = 8;

/**
 * The values that readings show, whole or in part. A recogniser may have misread a letter in six,
 * left one out or put one in.
 */
export function sightings(
  readings: readonly Reading[],
  secrets: readonly PlantedSecret[],
): Sighting[] {
  const found = new Map<PlantedSecret, Sighting>();
  for (const { secret, by, seen } of findLeaks(readings, secrets)) {
    const isWhole = seen.length >= compact(secret.value).length;
    if (!found.get(secret)?.isWhole) found.set(secret, { secret, by, isWhole });
  }
  for (const reading of readings) {
    if (reading.kind !== 'picture' && reading.kind !== 'text') continue;
    const text = fold(compact(reading.text));
    for (const secret of secrets) {
      if (found.get(secret)?.isWhole) continue;
      const value = fold(compact(secret.value));
      if (value.length < leastLetters) continue;
      if (!isNear(text, value, Math.floor(value.length / lettersPerError))) continue;
      found.set(secret, { secret, by: reading.by, isWhole: true });
    }
  }
  return [...found.values()];
}

/** Whether a value is somewhere in a text with at most so many letters changed, left out or put in. */
function isNear(text: string, value: string, errors: number): boolean {
  // Row by row through the text: the least number of changes with which each start of the value ends here.
  let row = Array.from({ length: value.length + 1 }, (_, at) => at);
  for (const letter of text) {
    const next = [0];
    for (let at = 1; at <= value.length; at += 1) {
      const same = (row[at - 1] ?? 0) + (value[at - 1] === letter ? 0 : 1);
      next.push(Math.min(same, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
    if ((row[value.length] ?? value.length) <= errors) return true;
  }
  return false;
}
