import { postgresTime } from '../../db/postgres-time.ts';
import { known } from '../decision/fact-table.ts';
import type { ObjectFacts } from './load.ts';

const millisecondsPerDay = 24 * 3_600_000;

/** Returns the facts about an object at another time: it is older or younger then. */
export function factsAt(facts: ObjectFacts, at: Date): ObjectFacts {
  const { ageDays } = facts;
  if (ageDays.state !== 'known') return facts;
  const daysAhead = (at.getTime() - postgresTime()) / millisecondsPerDay;
  return { ...facts, ageDays: known(ageDays.value + daysAhead) };
}
