import type { Candidate, Recogniser } from './recogniser.ts';
import type { View } from './view.ts';

/** How far before and behind a candidate its context is looked for, in characters. */
const before = 64;
const behind = 28;

const isLetter = (code: number) => code >= 97 && code <= 122;

/**
 * How near the nearest of some words is: 1 beside the candidate, falling to 0.5 at the end of its
 * reach, 0 when there is none. What follows counts less than what comes before.
 */
function nearness(view: View, { start, end }: Candidate, words: RegExp): number {
  const { lower } = view;
  let from = Math.max(0, start - before);
  while (from > 0 && from < start && isLetter(lower.charCodeAt(from - 1))) from += 1;
  let nearest = 0;
  for (const match of lower.slice(from, start).matchAll(words)) {
    const distance = start - from - match.index - match[0].length;
    nearest = 1 - distance / (2 * before);
  }
  let to = Math.min(lower.length, end + behind);
  while (to < lower.length && to > end && isLetter(lower.charCodeAt(to))) to -= 1;
  for (const match of lower.slice(end, to).matchAll(words)) {
    return Math.max(nearest, 0.75 - match.index / (4 * behind));
  }
  return nearest;
}

/** How sure a candidate is where it stands. The nearer the word that says so, the surer. */
export function scoreOf(view: View, candidate: Candidate, recogniser: Recogniser): number {
  const { alone, inContext } = candidate;
  const near = recogniser.context ? nearness(view, candidate, recogniser.context) : 0;
  const against = recogniser.against ? nearness(view, candidate, recogniser.against) : 0;
  if (near > against) return Math.max(alone, inContext - (1 - near) * 0.1);
  return against > 0 ? alone / 2 : alone;
}
