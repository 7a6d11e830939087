import { coverTest } from './covers.ts';
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
const decision = new RegExp(
  `^\\p{Lu}[^;]{0,80}?(?:,?\\s${year},?\\s(?:\\d{1,4}\\s)?|,\\s\\d{1,4}\\s)${reporter},?\\s\\d{1,5}(?!\\d)`,
  'u',
);
/** The first party. */
const party =
  /(?:(?:\p{Lu}[\p{L}\p{M}.&'’-]{0,24},?|of|the|and|&|de|van|der|ex|rel\.)\s){0,7}\p{Lu}[\p{L}\p{M}.&'’-]{0,24}$/u;
const introductoryWord = /^(?:See|In|Cf\.|Accord|Under|Following|Compare|And)\s/;
const maxLength = 160;

/**
 * Removes names in citations of published decisions, such as `Jordan v. Talbot (1961) 55 Cal.2d
 * 597`. They name a case, not people that the document is about.
 */
export function withoutCitations(text: string, findings: PiiFinding[]): PiiFinding[] {
  const citations = [...text.matchAll(versus)].flatMap(({ index, 0: sign }) => {
    const after = index + sign.length;
    const secondParty = decision.exec(text.slice(after, after + maxLength))?.[0];
    if (!secondParty) return [];
    const firstParty = party.exec(text.slice(Math.max(0, index - maxLength), index))?.[0] ?? '';
    return [
      {
        start: index - firstParty.replace(introductoryWord, '').length,
        end: after + secondParty.length,
      },
    ];
  });
  if (citations.length === 0) return findings;
  const isCited = coverTest(citations);
  return findings.filter((one) => !isProse(one) || !isCited(one.start, one.start + 1));
}
