/*
 * Drops findings that do not meet the condition of a profile for their type.
 */
import { type Narrowing, narrowings } from '@scriptorium/contracts/documents/profiles';
import type { PiiFinding } from '../finding.ts';
import { hasStreet } from './address.ts';
import { isOver89 } from './age.ts';
import { hasMoreThanYear } from './date.ts';
import { isSmallerThanState } from './place.ts';
import { hasPersonalPart } from './url.ts';

/** Whether a finding meets a condition, given its text and the names of people near it. */
type Condition = (text: string, names: readonly string[]) => boolean;

const conditions: Readonly<Record<Narrowing, Condition>> = {
  with_street: hasStreet,
  personal_part: hasPersonalPart,
  beyond_year: hasMoreThanYear,
  smaller_than_state: isSmallerThanState,
  over_89: isOver89,
};

/** Removes the findings that do not meet the condition of their type. */
export function narrow(
  findings: PiiFinding[],
  text: string,
  narrowed: readonly Narrowing[],
): PiiFinding[] {
  if (narrowed.length === 0) return findings;
  const byType = new Map<string, Condition>(
    narrowed.map((name) => [narrowings[name].type, conditions[name]]),
  );
  const names = findings
    .filter(({ type }) => type === 'PERSON')
    .map(({ start, end }) => text.slice(start, end));
  return findings.filter(({ type, start, end }) => {
    const condition = byType.get(type);
    return !condition || condition(text.slice(start, end), names);
  });
}
