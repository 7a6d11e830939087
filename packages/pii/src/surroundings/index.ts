import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import { findAccounts } from './accounts.ts';
import { findBirthDates } from './birth-dates.ts';
import { findNamesInCells } from './cells.ts';
import { findDomestic } from './domestic-numbers.ts';
import { findHomes } from './homes.ts';
import { invertedNames, mailHeaders, signatures } from './name-places.ts';
import { findPeople } from './people.ts';
import { rosters } from './rosters.ts';
import { findSignIns } from './sign-ins.ts';
import { findSocialHandles } from './social-handles.ts';

/**
 * Finds values by their context that neither a label nor a form alone identifies: dates next to
 * people, numbers in the groups of a country, account names in logs, after words for access and of
 * social networks, addressees and authors, names among names in table cells, rows below a heading
 * for dates of birth, and home addresses.
 * @param others the findings of other sources
 */
export function findBySurroundings(
  text: string,
  view: TextView,
  others: readonly PiiFinding[],
  isWanted: (type: EntityType) => boolean,
): PiiFinding[] {
  const [named, born] = rosters(view, isWanted);
  const found: PiiFinding[] = [...findDomestic(view, isWanted), ...widened(named, others), ...born];
  if (isWanted('PERSONAL_ID')) found.push(...findAccounts(view), ...findSocialHandles(view));
  if (isWanted('PERSON')) {
    const tagged = others.filter(({ type }) => type === 'PERSON');
    const own = widened(
      [
        ...findPeople(view),
        ...mailHeaders(view),
        ...signatures(view, tagged),
        ...invertedNames(view, tagged),
      ],
      others,
    );
    const known = [...tagged, ...own];
    found.push(...own, ...widened(findNamesInCells(view, known), known));
  }
  if (isWanted('ADDRESS')) found.push(...widened(findHomes(view), others));
  if (isWanted('PERSONAL_ID')) {
    const people = [...others, ...found].filter(({ type }) => type === 'PERSON');
    found.push(
      ...findSignIns(view, [...new Set(people.map(({ start, end }) => text.slice(start, end)))]),
    );
  }
  if (isWanted('DATE_OF_BIRTH')) found.push(...findBirthDates(text, view, [...others, ...found]));
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
