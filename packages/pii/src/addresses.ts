import type { PiiFinding } from './finding.ts';
import { firstWhere } from './first-where.ts';
import { completeDatesIn } from './recognisers/dates/dates.ts';
import type { TextView } from './view.ts';

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

/** Returns a finding without punctuation at its ends, unless it consists of punctuation. */
function trimPunctuation(finding: PiiFinding, documentText: string): PiiFinding[] {
  const text = documentText.slice(finding.start, finding.end);
  const lead = /^[^\p{L}\p{N}]*/u.exec(text)![0].length;
  const tail = /[^\p{L}\p{N}]*$/u.exec(text.slice(lead))![0].length;
  if (lead === text.length) return [];
  return [{ ...finding, start: finding.start + lead, end: finding.end - tail }];
}
