import type { PiiFinding } from './finding.ts';

/**
 * Types of findings in prose. If such a finding overlaps a better one, its remaining parts are
 * still personal data.
 */
const proseTypes: ReadonlySet<string> = new Set([
  'PERSON',
  'TITLE',
  'ORGANIZATION',
  'LOCATION',
  'ADDRESS',
  'NRP',
  'SPECIAL_CATEGORY',
]);

/**
 * Returns the weight of a finding against overlapping findings: its score, plus a small amount for
 * its length, so that the longer of two findings with similar scores is preferred. Findings in
 * prose are estimates, regardless of their score: a finding that passed a check or is next to its
 * label weighs more, and a number that is only supported by its form weighs less.
 */
function weightOf({ type, score, start, end }: PiiFinding): number {
  const length = Math.min(end - start, 40);
  return proseTypes.has(type) ? 0.3 + 0.35 * score + 0.001 * length : score + 0.006 * length;
}

/**
 * Makes findings disjoint and sorts them. The heaviest finding is taken first, then findings that
 * do not overlap it. Names and addresses are cut where they overlap another finding, unless most of
 * their text is lost, which indicates an error. Numbers are dropped and not cut. Client patterns
 * add findings and do not cut others: a pattern that matches the hyphens of a number must not keep
 * its digits from being found.
 */
export function resolveOverlaps(findings: readonly PiiFinding[], text: string): PiiFinding[] {
  const isBuiltIn = ({ type }: PiiFinding): boolean => !type.startsWith('CUSTOM_');
  const custom = findings.filter((finding) => !isBuiltIn(finding)).sort(heaviestFirst);
  const builtIn = makeDisjoint(findings.filter(isBuiltIn), text);
  if (custom.length === 0) return builtIn;
  const customMask = new Uint8Array(text.length);
  for (const { start, end } of custom) customMask.fill(1, start, end);
  const isCovered = ({ start, end }: PiiFinding): boolean =>
    !customMask.subarray(start, end).includes(0);
  const [proseFindings, numbers] = [
    builtIn.filter(isProse),
    builtIn.filter((one) => !isProse(one)),
  ];
  const order = [...numbers.filter((one) => !isCovered(one)), ...custom, ...proseFindings];
  const takenUnits = new Uint8Array(text.length);
  return order
    .flatMap((finding) => takeFree(takenUnits, finding, text))
    .sort((a, b) => a.start - b.start);
}

/** Whether a finding is a finding in prose. */
export const isProse = ({ type }: Pick<PiiFinding, 'type'>): boolean => proseTypes.has(type);

const heaviestFirst = (a: PiiFinding, b: PiiFinding): number =>
  weightOf(b) - weightOf(a) || a.start - b.start || (a.type < b.type ? -1 : 1);

function makeDisjoint(findings: readonly PiiFinding[], text: string): PiiFinding[] {
  const takenUnits = new Uint8Array(text.length);
  const result: PiiFinding[] = [];
  for (const finding of findings.toSorted(heaviestFirst)) {
    const parts = freeParts(takenUnits, finding, text);
    const isWhole =
      parts.length === 1 && parts[0]?.start === finding.start && parts[0].end === finding.end;
    if (!isWhole && !isProse(finding)) continue;
    if (isProse(finding) && isMostlyLost(finding, parts)) continue;
    result.push(...takeFree(takenUnits, finding, text));
  }
  return result.sort((a, b) => a.start - b.start);
}

/** Returns the free parts of a finding, and marks them as taken. */
function takeFree(takenUnits: Uint8Array, finding: PiiFinding, text: string): PiiFinding[] {
  const parts = freeParts(takenUnits, finding, text);
  for (const { start, end } of parts) takenUnits.fill(1, start, end);
  return parts.map((part) => ({ ...finding, ...part }));
}

const lengthOf = ({ start, end }: { start: number; end: number }) => end - start;

function isMostlyLost(
  finding: PiiFinding,
  parts: readonly { start: number; end: number }[],
): boolean {
  return parts.reduce((left, part) => left + lengthOf(part), 0) * 2 < lengthOf(finding);
}

/**
 * Returns the ranges of a finding that are not taken, without spaces and punctuation at their ends.
 */
function freeParts(takenUnits: Uint8Array, { start, end }: PiiFinding, text: string) {
  const parts: { start: number; end: number }[] = [];
  let at = start;
  while (at < end) {
    const length = takenUnits.subarray(at, end).indexOf(1);
    const stop = length < 0 ? end : at + length;
    const isWhole = at === start && stop === end;
    const part = text.slice(at, stop);
    const lead = isWhole ? 0 : part.length - part.replace(/^[^\p{L}\p{N}]+/u, '').length;
    const tail = isWhole ? 0 : part.length - part.replace(/[^\p{L}\p{N}]+$/u, '').length;
    if (lead < part.length && part.length > 0) parts.push({ start: at + lead, end: stop - tail });
    at = stop;
    while (at < end && takenUnits[at] === 1) at += 1;
  }
  return parts;
}
