import type { Finding } from './finding.ts';

/** Findings of language: what is left of one beside a surer finding still is personal data. */
const prose: ReadonlySet<string> = new Set([
  ...['PERSON', 'TITLE', 'ORGANIZATION', 'LOCATION', 'ADDRESS', 'NRP'],
]);

/**
 * What a finding weighs against one that overlaps it: how sure it is, and a little for its length, so
 * that of two nearly as sure the longer wins. Language is a guess however sure it is: what passed a
 * check or stands beside its name weighs more, and a number whose form alone speaks for it less.
 */
function weight({ type, score, start, end }: Finding): number {
  const length = Math.min(end - start, 40);
  return prose.has(type) ? 0.3 + 0.35 * score + 0.001 * length : score + 0.006 * length;
}

/**
 * Makes findings disjoint and puts them in order: the heaviest first, then whatever leaves those
 * alone. What names and addresses lose to another they lose only there, but for one that lost most of
 * itself, which was a mistake; a number that was cut is none. Clients' own patterns add to what is
 * found and take nothing from it: one that matches the hyphens of a number must not save its digits.
 */
export function resolve(findings: readonly Finding[], text: string): Finding[] {
  const isOwn = ({ type }: Finding): boolean => !type.startsWith('CUSTOM_');
  const custom = findings.filter((finding) => !isOwn(finding)).sort(heaviestFirst);
  const own = disjoint(findings.filter(isOwn), text);
  if (custom.length === 0) return own;
  const byCustom = new Uint8Array(text.length);
  for (const { start, end } of custom) byCustom.fill(1, start, end);
  const isCovered = ({ start, end }: Finding): boolean =>
    !byCustom.subarray(start, end).includes(0);
  const [language, numbers] = [own.filter(isProse), own.filter((one) => !isProse(one))];
  const order = [...numbers.filter((one) => !isCovered(one)), ...custom, ...language];
  const taken = new Uint8Array(text.length);
  return order.flatMap((finding) => take(taken, finding, text)).sort((a, b) => a.start - b.start);
}

const isProse = ({ type }: Finding): boolean => prose.has(type);

const heaviestFirst = (a: Finding, b: Finding): number =>
  weight(b) - weight(a) || a.start - b.start || (a.type < b.type ? -1 : 1);

function disjoint(findings: readonly Finding[], text: string): Finding[] {
  const taken = new Uint8Array(text.length);
  const kept: Finding[] = [];
  for (const finding of findings.toSorted(heaviestFirst)) {
    const parts = free(taken, finding, text);
    const whole =
      parts.length === 1 && parts[0]?.start === finding.start && parts[0].end === finding.end;
    if (!whole && !isProse(finding)) continue;
    if (isProse(finding) && mistaken(finding, parts)) continue;
    kept.push(...take(taken, finding, text));
  }
  return kept.sort((a, b) => a.start - b.start);
}

/** What is still free of a finding; it is taken from now on. */
function take(taken: Uint8Array, finding: Finding, text: string): Finding[] {
  const parts = free(taken, finding, text);
  for (const { start, end } of parts) taken.fill(1, start, end);
  return parts.map((part) => ({ ...finding, ...part }));
}

const lengthOf = ({ start, end }: { start: number; end: number }) => end - start;

function mistaken(finding: Finding, parts: readonly { start: number; end: number }[]): boolean {
  return parts.reduce((left, part) => left + lengthOf(part), 0) * 2 < lengthOf(finding);
}

/** The stretches of a finding that nothing has taken, without spaces and punctuation at their ends. */
function free(taken: Uint8Array, { start, end }: Finding, text: string) {
  const parts: { start: number; end: number }[] = [];
  let at = start;
  while (at < end) {
    let stop = taken.indexOf(1, at);
    if (stop < 0 || stop > end) stop = end;
    const whole = at === start && stop === end;
    const part = text.slice(at, stop);
    const lead = whole ? 0 : part.length - part.replace(/^[^\p{L}\p{N}]+/u, '').length;
    const tail = whole ? 0 : part.length - part.replace(/[^\p{L}\p{N}]+$/u, '').length;
    if (lead < part.length && part.length > 0) parts.push({ start: at + lead, end: stop - tail });
    at = stop;
    while (at < end && taken[at] === 1) at += 1;
  }
  return parts;
}
