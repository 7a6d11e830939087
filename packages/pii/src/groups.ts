import type { PiiCandidate } from './recogniser.ts';
import type { TextView } from './view.ts';

/** Groups of letters and digits, joined by single blanks or hyphens. */
const groups = /^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/;
/** Maximum number of consecutive letters; more are a word. */
const maxLetters = 4;
/** Maximum length of a group; longer ones are separate numbers. */
const longestGroup = 6;
/**
 * Maximum length of a candidate consisting of groups, and of the part of a neighbour that is
 * examined.
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
 * Whether a candidate is a part of a longer sequence of groups, such as twelve of the sixteen digits
 * of a card: a group with digits follows or precedes it across the blank or hyphen that joins its own
 * groups, or any across a hyphen. `isLabel` recognises letters before a hyphen as its label.
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
  // A short number behind a whole one is another, such as the code on the back of a card.
  const isOther = whole && behind === ' ' && next.length < 4;
  if (next && !isOther && continues(joints, behind, next)) return true;
  const head = text.slice(Math.max(0, start - reach), start);
  const [, group = '', joint = ''] = groupBefore.exec(head) ?? [];
  if (!group || (joint === '-' && isLabel(group))) return false;
  return continues(joints, joint, group);
}
