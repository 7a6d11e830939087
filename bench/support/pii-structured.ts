import type { Mark } from './pii-spans.ts';

/** Simple patterns in place of the recognisers, for measuring the tagger by itself. */
const patterns: readonly (readonly [string, RegExp])[] = [
  ['EMAIL_ADDRESS', /[\w.+-]+@[\w-]+\.[\w.-]+\w/gu],
  [
    'URL',
    /\b(?:https?:\/\/\S+|(?:www\.)?[A-Za-z0-9-]+\.(?:com|org|net|info|biz|edu|gov|io|[a-z]{2})(?:\.[a-z]{2})?(?:\/\S*)?)(?=[\s,.;!?)]|$)/gu,
  ],
  ['IBAN_CODE', /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g],
  ['IP_ADDRESS', /\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b/gi],
  ['US_SSN', /\b\d{3}-\d{2}-\d{4}\b/g],
  ['CREDIT_CARD', /\b(?:\d[ -]?){12,18}\d\b/g],
  [
    'PHONE_NUMBER',
    /(?<![\w/])(?:\+?\d{1,3}[\s.-]?)?(?:\(\d{1,5}\)[\s.-]?)?\d{2,4}(?:[\s.-]\d{2,4}){2,4}(?:x\d+)?\b|\b0\d{9,10}\b|\(\d{2,4}\)\s?\d{3,4}[- ]?\d{3,4}/g,
  ],
  [
    'DATE_TIME',
    /\b\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:, \d{4})?\b/g,
  ],
  ['AGE', /\b\d{1,3}(?=[ -](?:years?|y\/o|yo\b))/g],
];

/** The marks of the patterns, and `found` where none of those stands. */
export function structured(text: string, found: readonly Mark[]): Mark[] {
  const out: Mark[] = [];
  const free = (mark: Mark, among: readonly Mark[]) =>
    !among.some((other) => other.start < mark.end && other.end > mark.start);
  const addresses = found.filter(({ type }) => type === 'ADDRESS');
  for (const [type, pattern] of patterns) {
    for (const { 0: words, index } of text.matchAll(pattern)) {
      const mark = { type, start: index, end: index + words.length };
      const within = type === 'PHONE_NUMBER' && !free(mark, addresses);
      if (!within && free(mark, out)) out.push(mark);
    }
  }
  out.push(...found.filter((mark) => free(mark, out)));
  return out.sort((a, b) => a.start - b.start);
}
