import type { EntityType } from '../../../contracts/documents/entities.ts';
import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import { accounts } from './accounts.ts';
import { datesOfBirth } from './born.ts';
import { homes } from './homes.ts';
import { plates } from './vehicles.ts';

/**
 * Finds what neither a label nor a form alone tells, by what is around it: dates beside people,
 * registration plates of vehicles, user names in logs, and where people live.
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
  if (isWanted('ADDRESS')) found.push(...homes(view).map((home) => widened(home, others)));
  if (isWanted('DATE_OF_BIRTH')) found.push(...datesOfBirth(text, view, [...others, ...found]));
  return found;
}

/** An address, with what the language model found of it, so that no part of either is left. */
function widened(home: PiiFinding, others: readonly PiiFinding[]): PiiFinding {
  const parts = others.filter(
    ({ type, start, end }) => type === home.type && start < home.end && end > home.start,
  );
  return {
    type: home.type,
    start: Math.min(home.start, ...parts.map(({ start }) => start)),
    end: Math.max(home.end, ...parts.map(({ end }) => end)),
    score: Math.max(home.score, ...parts.map(({ score }) => score)),
  };
}
