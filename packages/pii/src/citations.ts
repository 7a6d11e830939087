import type { PiiFinding } from './finding.ts';
import { isProse } from './resolve.ts';

/** The sign between the parties. The lines of pleadings are numbered. */
const versus = /(?: |\n(?:\d{1,2}[ \t])?)(?:v|vs)\.?[ \n](?=\p{Lu})/gu;
const year = '[([](?:1[6-9]|20)\\d\\d[)\\]]';
const reporter = '\\p{Lu}[\\p{L}.]{0,10}(?:\\s?(?:\\d[a-z]{1,2}|\\p{Lu}[\\p{L}.]{0,6})){0,3}';
/**
 * The second party and the reporter of the decision: `Superior Court (1974) 10 Cal.3d 616`, `Wade,
 * 410 U.S. 113`.
 */
const printed = new RegExp(
  `^\\p{Lu}[^;]{0,80}?(?:,?\\s${year},?\\s(?:\\d{1,4}\\s)?|,\\s\\d{1,4}\\s)${reporter},?\\s\\d{1,5}(?!\\d)`,
  'u',
);
/** The first party. */
const party =
  /(?:(?:\p{Lu}[\p{L}\p{M}.&'’-]{0,24},?|of|the|and|&|de|van|der|ex|rel\.)\s){0,7}\p{Lu}[\p{L}\p{M}.&'’-]{0,24}$/u;
const opening = /^(?:See|In|Cf\.|Accord|Under|Following|Compare|And)\s/;
const longest = 160;

/**
 * Removes names in citations of published decisions, such as `Jordan v. Talbot (1961) 55 Cal.2d
 * 597`. They name a case, not people that the document is about.
 */
export function withoutCitations(text: string, findings: PiiFinding[]): PiiFinding[] {
  const cited = [...text.matchAll(versus)].flatMap(({ index, 0: sign }) => {
    const behind = index + sign.length;
    const last = printed.exec(text.slice(behind, behind + longest))?.[0];
    if (!last) return [];
    const before = party.exec(text.slice(Math.max(0, index - longest), index))?.[0] ?? '';
    return [{ start: index - before.replace(opening, '').length, end: behind + last.length }];
  });
  if (cited.length === 0) return findings;
  const isCited = (at: number): boolean => cited.some(({ start, end }) => start <= at && at < end);
  return findings.filter((found) => !isProse(found) || !isCited(found.start));
}
