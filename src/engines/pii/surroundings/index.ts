import type { EntityType } from '../../../contracts/documents/entities.ts';
import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import { accounts } from './accounts.ts';
import { datesOfBirth } from './born.ts';
import { homes } from './homes.ts';
import { people } from './people.ts';
import { plates } from './vehicles.ts';

/**
 * Finds what neither a label nor a form alone tells, by what is around it: dates beside people,
 * registration plates of vehicles, user names in logs, who is addressed or writes, and where people live.
 * @param others what was found by other means
 */
export function findBySurroundings(
  text: string,
  view: TextView,
  others: readonly PiiFinding[],
  isWanted: (type: EntityType) => boolean,
): PiiFinding[] {
  const found: PiiFinding[] = [];
  if (isWanted('PERSONAL_ID')) found.push(...plates(view), ...accounts(view));
  if (isWanted('PERSON')) found.push(...people(view).map((person) => widened(person, others)));
  if (isWanted('ADDRESS')) found.push(...homes(view).map((home) => widened(home, others)));
  if (isWanted('DATE_OF_BIRTH')) found.push(...datesOfBirth(text, view, [...others, ...found]));
  return found;
}

/** A name or address, with what the language model found of it, so that no part of either is left. */
function widened(own: PiiFinding, others: readonly PiiFinding[]): PiiFinding {
  const parts = others.filter(
    ({ type, start, end }) => type === own.type && start < own.end && end > own.start,
  );
  return {
    type: own.type,
    start: Math.min(own.start, ...parts.map(({ start }) => start)),
    end: Math.max(own.end, ...parts.map(({ end }) => end)),
    score: Math.max(own.score, ...parts.map(({ score }) => score)),
  };
}
