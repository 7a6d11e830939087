import type { Candidate, Recogniser } from './recogniser.ts';
import type { View } from './view.ts';

/** How far before and behind a candidate its context is looked for, in characters. */
const before = 64;
const behind = 28;

const isLetter = (code: number) => code >= 97 && code <= 122;

/** How near the last of some words before a candidate is: 1 beside it, 0.5 at the end of the reach. */
function nearnessBefore({ lower }: View, start: number, words: RegExp): number {
  let from = Math.max(0, start - before);
  while (from > 0 && from < start && isLetter(lower.charCodeAt(from - 1))) from += 1;
  let nearest = 0;
  for (const match of lower.slice(from, start).matchAll(words)) {
    const distance = start - from - match.index - match[0].length;
    nearest = 1 - distance / (2 * before);
  }
  return nearest;
}

/** The same for what follows, which counts less. */
function nearnessBehind({ lower }: View, end: number, words: RegExp): number {
  let to = Math.min(lower.length, end + behind);
  while (to < lower.length && to > end && isLetter(lower.charCodeAt(to))) to -= 1;
  const at = lower.slice(end, to).search(words);
  return at < 0 ? 0 : 0.75 - at / (4 * behind);
}

/** Beyond this no word beside a candidate says that it is something else. */
const certain = 0.9;

/** How sure a candidate is where it stands. The nearer the word that says so, the surer. */
export function scoreOf(view: View, candidate: Candidate, recogniser: Recogniser): number {
  const { start, end, alone, inContext } = candidate;
  const { context, against } = recogniser;
  const near = context
    ? Math.max(nearnessBefore(view, start, context), nearnessBehind(view, end, context))
    : 0;
  const other = against && alone < certain ? nearnessBefore(view, start, against) : 0;
  if (near > other) return Math.max(alone, inContext - (1 - near) * 0.1);
  return other > 0 ? alone / 2 : alone;
}
