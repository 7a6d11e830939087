import type { PiiCandidate, PiiRecogniser } from './recogniser.ts';
import type { TextView } from './view.ts';

/** How far before a candidate its context extends, in characters. */
const before = 64;
const behind = 28;

const isLetter = (code: number) => code >= 97 && code <= 122;

/** How close a word before a candidate is: 1 next to it, 0.5 at the end of the range. */
function nearnessBefore({ lower }: TextView, start: number, words: RegExp): number {
  let from = Math.max(0, start - before);
  while (from > 0 && from < start && isLetter(lower.charCodeAt(from - 1))) from += 1;
  let nearest = 0;
  for (const match of lower.slice(from, start).matchAll(words)) {
    const distance = start - from - match.index - match[0].length;
    nearest = 1 - distance / (2 * before);
  }
  return nearest;
}

/** How close a word after a candidate is; words after it count less. */
function nearnessBehind({ lower }: TextView, end: number, words: RegExp): number {
  let to = Math.min(lower.length, end + behind);
  while (to < lower.length && to > end && isLetter(lower.charCodeAt(to))) to -= 1;
  const at = lower.slice(end, to).search(words);
  return at < 0 ? 0 : 0.75 - at / (4 * behind);
}

/** From this score on, words next to a candidate no longer lower it. */
const certain = 0.9;

/** The score of a candidate in its context: the closer a supporting word, the higher. */
export function scoreOf(
  view: TextView,
  candidate: PiiCandidate,
  recogniser: PiiRecogniser,
): number {
  const { start, end, alone, inContext } = candidate;
  const { context, against } = recogniser;
  const near = context
    ? Math.max(nearnessBefore(view, start, context), nearnessBehind(view, end, context))
    : 0;
  const other = against && alone < certain ? nearnessBefore(view, start, against) : 0;
  if (near > other) return Math.max(alone, inContext - (1 - near) * 0.1);
  return other > 0 ? alone / 2 : alone;
}
