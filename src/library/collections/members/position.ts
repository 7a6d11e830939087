/**
 * Positions of members: texts that sort byte by byte, between any two of which there is another, so
 * that moving a member touches one row. A position is a whole number, its length told by the first
 * character (`a0`…`az`, `b00`…; below `a0`: `Zz`…`Z0`, `Yzz`…), and a fraction without zeros at its
 * end. Adding at either end counts the number on and so stays short; only the middle grows.
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const lowest = digits[0]!;
const highest = digits.at(-1)!;

/** Longer positions are a sign to give the members around new ones. */
export const longestPosition = 100;

/** A position after `after` and before `before`; null is the end on that side. */
export function positionBetween(after: string | null, before: string | null): string {
  if (after !== null && before !== null && after >= before) {
    throw new Error('There is nothing between positions in the wrong order.');
  }
  if (after === null) {
    if (before === null) return 'a0';
    const [whole, fraction] = split(before);
    return fraction === '' ? step(whole, -1) : whole;
  }
  const [whole, fraction] = split(after);
  if (before === null) return step(whole, 1);
  const [wholeBefore, fractionBefore] = split(before);
  if (whole === wholeBefore) return whole + fractionBetween(fraction, fractionBefore);
  const next = step(whole, 1);
  return next < before ? next : whole + fractionBetween(fraction, null);
}

/** So many positions in order, all after the last one there is. */
export function positionsAfter(last: string | null, count: number): string[] {
  const positions: string[] = [];
  for (let at = 0; at < count; at++) {
    positions.push(positionBetween(positions.at(-1) ?? last, null));
  }
  return positions;
}

/** So many positions in order between two, spread so that all are about as long. */
export function positionsWithin(
  after: string | null,
  before: string | null,
  count: number,
): string[] {
  if (count === 0) return [];
  const middle = positionBetween(after, before);
  const lower = Math.floor((count - 1) / 2);
  return [
    ...positionsWithin(after, middle, lower),
    middle,
    ...positionsWithin(middle, before, count - 1 - lower),
  ];
}

function split(position: string): [whole: string, fraction: string] {
  const length = wholeLength(position[0]!);
  return [position.slice(0, length), position.slice(length)];
}

function wholeLength(head: string): number {
  return head >= 'a' ? head.charCodeAt(0) - 97 + 2 : 90 - head.charCodeAt(0) + 2;
}

/** The whole number after or before one. */
function step(whole: string, by: 1 | -1): string {
  const [from, to] = by === 1 ? [highest, lowest] : [lowest, highest];
  const tail = [...whole.slice(1)];
  for (let at = tail.length - 1; at >= 0; at--) {
    if (tail[at] !== from) {
      tail[at] = digits[digits.indexOf(tail[at]!) + by]!;
      return whole[0] + tail.join('');
    }
    tail[at] = to;
  }
  const head = nextHead(whole[0]!, by);
  return head + to.repeat(wholeLength(head) - 1);
}

function nextHead(head: string, by: 1 | -1): string {
  if (head === 'Z' && by === 1) return 'a';
  if (head === 'a' && by === -1) return 'Z';
  if ((head === 'z' && by === 1) || (head === 'A' && by === -1)) {
    throw new Error('There are no more positions on this side.');
  }
  return String.fromCharCode(head.charCodeAt(0) + by);
}

/** A fraction between two, neither with a zero at its end; null is one. */
function fractionBetween(after: string, before: string | null): string {
  let common = 0;
  if (before !== null) {
    while ((after[common] ?? lowest) === before[common]) common += 1;
  }
  const prefix = before?.slice(0, common) ?? '';
  const low = digits.indexOf(after[common] ?? lowest);
  const high = before === null ? digits.length : digits.indexOf(before[common]!);
  if (high - low > 1) return prefix + digits[Math.round((low + high) / 2)]!;
  // Neighbours: the upper digit alone lies between, if more follows it; else go on below the lower.
  if (before !== null && before.length > common + 1) return prefix + before[common]!;
  return prefix + digits[low]! + fractionBetween(after.slice(common + 1), null);
}
