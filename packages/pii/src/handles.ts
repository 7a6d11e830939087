import { domainScores } from './recognisers/internet/domains.ts';

/** Text that may precede and follow a part of `first.last`, with a maximum length. */
const before = /(?<![\p{L}\p{N}._@/\\-])(?:\p{Ll}[\p{Ll}\p{N}]{0,30}[._]){1,3}$/u;
const behind = /^(?:[._]\p{Ll}[\p{Ll}\p{N}]{0,30}){1,3}(?![\p{L}\p{N}_@(/\\]|\.\p{L})/u;
const longest = 96;

/**
 * Returns the range of the account name that contains a found name: `first.last` for `last`.
 * Returns the given range if it is not part of an account name, or is part of a domain.
 */
export function wholeHandle(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } {
  const isSmall = (at: number): boolean => /\p{Ll}/u.test(text[at] ?? '');
  const head = isSmall(start)
    ? (before.exec(text.slice(Math.max(0, start - longest), start))?.[0] ?? '')
    : '';
  const tail = isSmall(end - 1) ? (behind.exec(text.slice(end, end + longest))?.[0] ?? '') : '';
  if (head === '' && tail === '') return { start, end };
  const whole = { start: start - head.length, end: end + tail.length };
  const found = text.slice(whole.start, whole.end);
  const isHandle = /^[\p{Ll}\p{N}._]+$/u.test(found) && domainScores(found) === null;
  return isHandle && !/^www\./.test(found) ? whole : { start, end };
}
