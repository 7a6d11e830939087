import { domainScores } from './recognisers/internet/domains.ts';

/** Text that may precede and follow a part of `first.last`, with a maximum length. */
const partsBefore = /(?<![\p{L}\p{N}._@/\\-])(?:\p{Ll}[\p{Ll}\p{N}]{0,30}[._]){1,3}$/u;
const partsAfter = /^(?:[._]\p{Ll}[\p{Ll}\p{N}]{0,30}){1,3}(?![\p{L}\p{N}_@(/\\]|\.\p{L})/u;
const maxLength = 96;

/**
 * Returns the range of the account name that contains a found name: `first.last` for `last`.
 * Returns the given range if it is not part of an account name, or is part of a domain.
 */
export function wholeHandle(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } {
  const isLowerCase = (at: number): boolean => /\p{Ll}/u.test(text[at] ?? '');
  const head = isLowerCase(start)
    ? (partsBefore.exec(text.slice(Math.max(0, start - maxLength), start))?.[0] ?? '')
    : '';
  const tail = isLowerCase(end - 1)
    ? (partsAfter.exec(text.slice(end, end + maxLength))?.[0] ?? '')
    : '';
  if (head === '' && tail === '') return { start, end };
  const range = { start: start - head.length, end: end + tail.length };
  const handle = text.slice(range.start, range.end);
  const isHandle = /^[\p{Ll}\p{N}._]+$/u.test(handle) && domainScores(handle) === null;
  return isHandle && !/^www\./.test(handle) ? range : { start, end };
}
