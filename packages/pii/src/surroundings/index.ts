import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import { accounts } from './accounts.ts';
import { datesOfBirth } from './born.ts';
import { namesInCells } from './cells.ts';
import { domestic } from './domestic.ts';
import { homes } from './homes.ts';
import { invertedNames, mailHeaders, signatures } from './name-places.ts';
import { people } from './people.ts';
import { rosters } from './rosters.ts';
import { signIns } from './sign-ins.ts';
import { plates } from './vehicles.ts';

/**
 * Finds values by their context that neither a label nor a form alone identifies: dates next to
 * people, numbers in the groups of a country, registration plates of vehicles, account names in
 * logs and after words for access, addressees and authors, names among names in table cells, rows
 * below a heading for dates of birth, and home addresses.
 * @param others the findings of other sources
 */
export function findBySurroundings(
  text: string,
  view: TextView,
  others: readonly PiiFinding[],
  isWanted: (type: EntityType) => boolean,
): PiiFinding[] {
  const [named, born] = rosters(view, isWanted);
  const found: PiiFinding[] = [...domestic(view, isWanted), ...widened(named, others), ...born];
  if (isWanted('PERSONAL_ID')) found.push(...plates(view), ...accounts(view));
  if (isWanted('PERSON')) {
    const tagged = others.filter(({ type }) => type === 'PERSON');
    const own = widened(
      [
        ...people(view),
        ...mailHeaders(view),
        ...signatures(view, tagged),
        ...invertedNames(view, tagged),
      ],
      others,
    );
    const known = [...tagged, ...own];
    found.push(...own, ...widened(namesInCells(view, known), known));
  }
  if (isWanted('ADDRESS')) found.push(...widened(homes(view), others));
  if (isWanted('PERSONAL_ID')) {
    const people = [...others, ...found].filter(({ type }) => type === 'PERSON');
    found.push(
      ...signIns(view, [...new Set(people.map(({ start, end }) => text.slice(start, end)))]),
    );
  }
  if (isWanted('DATE_OF_BIRTH')) found.push(...datesOfBirth(text, view, [...others, ...found]));
  return found;
}

const byStart = (findings: readonly PiiFinding[]): PiiFinding[] =>
  findings.toSorted((one, other) => one.start - other.start);

/**
 * Extends names or addresses to include the overlapping findings of the language model, so that no
 * part of either is left.
 */
function widened(own: readonly PiiFinding[], others: readonly PiiFinding[]): PiiFinding[] {
  const parts = byStart(others.filter(({ type }) => type === own[0]?.type));
  let from = 0;
  return byStart(own).map(({ type, start, end, score }) => {
    while (from < parts.length && parts[from]!.end <= start) from += 1;
    const whole = { type, start, end, score };
    for (let at = from; at < parts.length && parts[at]!.start < end; at += 1) {
      const part = parts[at]!;
      if (part.end <= start) continue;
      whole.start = Math.min(whole.start, part.start);
      whole.end = Math.max(whole.end, part.end);
      whole.score = Math.max(whole.score, part.score);
    }
    return whole;
  });
}
