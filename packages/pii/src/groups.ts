import type { PiiCandidate } from './recogniser.ts';
import type { TextView } from './view.ts';

/** Groups of letters and digits, joined by single spaces or hyphens. */
const groups = /^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/;
/** Maximum number of consecutive letters. More letters are a word. */
const maxLetters = 4;
/** Maximum length of a group. Longer groups are separate numbers. */
const longestGroup = 6;
/**
 * Maximum length of a candidate that consists of groups, and of the adjacent text that is examined.
 */
const reach = 40;

const groupBefore = /(?<![A-Za-z0-9.,:/€$£#_'(])([A-Za-z0-9]+)([ -])$/;
const groupBehind = /^([ -])([A-Za-z0-9]+)(?![A-Za-z0-9€$£%°_']|[.,:/][0-9])/;

const hasDigit = (group: string): boolean => /\d/.test(group);

/** Whether a group next to a candidate continues it. */
function continues(joints: ReadonlySet<string>, joint: string, group: string): boolean {
  if (!hasDigit(group)) return joint === '-' && /^[A-Z]{1,6}$/.test(group);
  return joint === '-' || (joints.has(joint) && group.length <= longestGroup);
}

/**
 * Whether a candidate is a part of a longer sequence of groups, such as 12 of the 16 digits of a
 * card. This is the case if a group with digits is adjacent, joined by the separator of the
 * candidate, or if any group is adjacent, joined by a hyphen. `isLabel` recognises letters before a
 * hyphen as a label.
 */
export function isPartOfMore(
  { text }: TextView,
  candidate: PiiCandidate,
  isLabel: (letters: string) => boolean,
): boolean {
  const { start, end, alone, whole } = candidate;
  if (!/[ -]/.test(text.charAt(start - 1)) && !/[ -]/.test(text.charAt(end))) return false;
  const value = text.slice(start, end);
  if (alone >= 0.9 || value.length > reach || !groups.test(value)) return false;
  const own = value.split(/[ -]/);
  if (own.some((group) => !hasDigit(group) && group.length > maxLetters)) return false;
  const joints = new Set(value.match(/[ -]/g));
  const [, behind = '', next = ''] = groupBehind.exec(text.slice(end, end + reach)) ?? [];
  // A short number after a complete number is separate, such as the code on the back of a card.
  const isOther = whole && behind === ' ' && next.length < 4;
  if (next && !isOther && continues(joints, behind, next)) return true;
  const head = text.slice(Math.max(0, start - reach), start);
  const [, group = '', joint = ''] = groupBefore.exec(head) ?? [];
  if (!group || (joint === '-' && isLabel(group))) return false;
  return continues(joints, joint, group);
}
