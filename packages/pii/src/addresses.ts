import { coverTest } from './covers.ts';
import type { PiiFinding } from './finding.ts';
import { firstWhere } from './first-where.ts';
import { completeDatesIn } from './recognisers/dates/dates.ts';
import type { TextView } from './view.ts';

/** A word before a number that is not part of an address: `Page number: 118`, `Losnummer 22`. */
const numberLabel =
  /(?:^|\s)(?!(?:post|plz|zip|haus|house|street|p\.?o)[\p{L}-]*)[\p{L}-]{2,30}(?:[ _-](?:number|no\.?|nr\.?|code|id)|nummer|nr\.?):? ?$/iu;

/** Whether an address consists only of a number after a word that names something else. */
export function isLabelledNumber(text: string, { start, end }: PiiFinding): boolean {
  const value = text.slice(start, end);
  const digits = /[\d/.-]+$/.exec(value)?.[0] ?? '';
  const words = value.slice(0, value.length - digits.length);
  if (digits === '' || /[\s,]/.test(words.trim())) return false;
  return numberLabel.test(text.slice(Math.max(0, start - 40), start) + words);
}

/**
 * Separates addresses from adjacent dates, whose day looks like a house number, because a date is
 * either removed completely or kept. Text below a date does not belong to the address above it.
 */
export function separateDates(
  findings: readonly PiiFinding[],
  text: string,
  view: TextView,
): PiiFinding[] {
  if (!findings.some(({ type }) => type === 'ADDRESS')) return [...findings];
  const dates = completeDatesIn(view).map(({ start, end }) => {
    return { start: view.original(start), end: view.original(end - 1) + 1 };
  });
  return findings.flatMap((finding) => {
    if (finding.type !== 'ADDRESS') return [finding];
    const date = dates[firstWhere(dates.length, (at) => dates[at]!.end > finding.start)];
    if (!date || date.start >= finding.end) return [finding];
    const beforeDate = { ...finding, end: date.start };
    const after = { ...finding, start: date.end };
    const isBelow = /^[ \t]*\n/.test(text.slice(date.end, finding.end));
    return (isBelow ? [beforeDate] : [beforeDate, after]).flatMap((part) =>
      trimPunctuation(part, text),
    );
  });
}

/** Words in names of houses. */
const houses =
  /(?<!\p{L})(?:house|cottage|rectory|vicarage|parsonage|farm|farmhouse|lodge|hall|barn|villa|manor|grange|mill|court|croft|bungalow|gatehouse|haus|hof|gutshof|forsthaus|résidence|residence|manoir|château|mas|quinta|finca|cortijo|cascina|podere|masseria|huize|hoeve|dwór|dworek|willa)(?!\p{L})/iu;
const longestHouse = 48;

/**
 * Extends addresses to the name of a house on the line above, if it is below the name of a person:
 * `Ada Bell`, `The Old Rectory`, `Nether Wallop SO20 8HA`.
 */
export function withHouses(findings: readonly PiiFinding[], text: string): PiiFinding[] {
  const people = new Set(findings.filter(({ type }) => type === 'PERSON').map(({ end }) => end));
  return findings.map((found) => {
    if (found.type !== 'ADDRESS' || text[found.start - 1] !== '\n') return found;
    const end = found.start - 1;
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    const isHouse = line.length <= longestHouse && houses.test(line) && !/[:.!?;]|\d/.test(line);
    return isHouse && start > 0 && people.has(start - 1) ? { ...found, start } : found;
  });
}

/** The maximum number of digits of a lone number. */
const longestLone = 4;
/** The maximum distance of an address from a number that belongs to it. */
const maxDistance = 3;

/**
 * Returns the findings without addresses that are a number alone, without a longer address, such as
 * a street or place, beside it.
 */
export function withoutLoneNumbers(findings: readonly PiiFinding[], text: string): PiiFinding[] {
  const addresses = findings.filter(({ type }) => type === 'ADDRESS');
  const longerTests = Array.from({ length: longestLone + 1 }, (_, length) =>
    coverTest(addresses.filter(({ start, end }) => end - start > length)),
  );
  return findings.filter(({ type, start, end }) => {
    const value = text.slice(start, end);
    if (type !== 'ADDRESS' || value.length > longestLone || !/^\d+$/.test(value)) return true;
    return longerTests[value.length]!(end + maxDistance, start - maxDistance);
  });
}

/** Returns a finding without punctuation at its ends, unless it consists of punctuation. */
function trimPunctuation(finding: PiiFinding, documentText: string): PiiFinding[] {
  const text = documentText.slice(finding.start, finding.end);
  const lead = /^[^\p{L}\p{N}]*/u.exec(text)![0].length;
  const tail = /[^\p{L}\p{N}]*$/u.exec(text.slice(lead))![0].length;
  if (lead === text.length) return [];
  return [{ ...finding, start: finding.start + lead, end: finding.end - tail }];
}
