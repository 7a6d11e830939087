import type { PiiCandidate } from './recogniser.ts';
import type { TextView } from './view.ts';

/** Groups of letters and digits, joined by single spaces or hyphens. */
const groups = /^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/;
/** Maximum number of consecutive letters. More letters are a word. */
const maxLetters = 4;
/** Maximum length of a group. Longer groups are separate numbers. */
const maxGroupLength = 6;
/**
 * Maximum length of a candidate that consists of groups, and of the adjacent text that is examined.
 */
const maxLength = 40;

const groupBefore = /(?<![A-Za-z0-9.,:/€$£#_'(])([A-Za-z0-9]+)([ -])$/;
const groupAfter = /^([ -])([A-Za-z0-9]+)(?![A-Za-z0-9€$£%°_']|[.,:/][0-9])/;

const hasDigit = (group: string): boolean => /\d/.test(group);

/** Whether a group next to a candidate continues it. */
function continues(separators: ReadonlySet<string>, separator: string, group: string): boolean {
  if (!hasDigit(group)) return separator === '-' && /^[A-Z]{1,6}$/.test(group);
  return separator === '-' || (separators.has(separator) && group.length <= maxGroupLength);
}

/**
 * Whether a candidate is a part of a longer sequence of groups, such as 12 of the 16 digits of a
 * card: if an adjacent group has digits and is joined by the separator of the candidate, or if any
 * adjacent group is joined by a hyphen. `isLabel` returns whether letters before a hyphen are a
 * label.
 */
export function isPartOfLongerNumber(
  { text }: TextView,
  candidate: PiiCandidate,
  isLabel: (letters: string) => boolean,
): boolean {
  const { start, end, alone, whole } = candidate;
  if (!/[ -]/.test(text.charAt(start - 1)) && !/[ -]/.test(text.charAt(end))) return false;
  const value = text.slice(start, end);
  if (alone >= 0.9 || value.length > maxLength || !groups.test(value)) return false;
  const ownGroups = value.split(/[ -]/);
  if (ownGroups.some((group) => !hasDigit(group) && group.length > maxLetters)) return false;
  const separators = new Set(value.match(/[ -]/g));
  const [, separatorAfter = '', nextGroup = ''] =
    groupAfter.exec(text.slice(end, end + maxLength)) ?? [];
  // A short number after a complete number is separate, such as the code on the back of a card.
  const isOther = whole && separatorAfter === ' ' && nextGroup.length < 4;
  if (nextGroup && !isOther && continues(separators, separatorAfter, nextGroup)) return true;
  const head = text.slice(Math.max(0, start - maxLength), start);
  const [, group = '', separatorBefore = ''] = groupBefore.exec(head) ?? [];
  if (!group || (separatorBefore === '-' && isLabel(group))) return false;
  return continues(separators, separatorBefore, group);
}
