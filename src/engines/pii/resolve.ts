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
 * alone. What names, addresses and clients' own patterns lose to another they lose only there, but
 * for one that lost most of itself, which was a mistake; a number that was cut is none.
 */
export function resolve(findings: readonly Finding[], text: string): Finding[] {
  const taken = new Uint8Array(text.length);
  const kept: Finding[] = [];
  const order = findings.toSorted(
    (a, b) => weight(b) - weight(a) || a.start - b.start || (a.type < b.type ? -1 : 1),
  );
  for (const finding of order) {
    const divisible = prose.has(finding.type) || finding.type.startsWith('CUSTOM_');
    const parts = free(taken, finding, text);
    const whole =
      parts.length === 1 && parts[0]?.start === finding.start && parts[0].end === finding.end;
    if (!whole && !divisible) continue;
    if (prose.has(finding.type) && mistaken(finding, parts)) continue;
    for (const part of parts) {
      taken.fill(1, part.start, part.end);
      kept.push({ ...finding, ...part });
    }
  }
  return kept.sort((a, b) => a.start - b.start);
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
