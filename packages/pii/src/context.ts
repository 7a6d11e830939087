import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { PiiFinding } from './finding.ts';
import type { PiiCandidate, PiiRecogniser } from './recogniser.ts';
import type { TextView } from './view.ts';

/** Length of the context of a candidate, before and after it, in characters. */
const contextBefore = 64;
const contextAfter = 28;

const isLetter = (code: number) => code >= 97 && code <= 122;

/**
 * Returns the proximity of a word before a candidate: 1 if adjacent, 0.5 at the end of the range.
 */
function proximityBefore({ lower }: TextView, start: number, words: RegExp): number {
  let from = Math.max(0, start - contextBefore);
  while (from > 0 && from < start && isLetter(lower.charCodeAt(from - 1))) from += 1;
  let nearest = 0;
  for (const match of lower.slice(from, start).matchAll(words)) {
    const distance = start - from - match.index - match[0].length;
    nearest = 1 - distance / (2 * contextBefore);
  }
  return nearest;
}

/** Returns the proximity of a word after a candidate, which counts less. */
function proximityAfter({ lower }: TextView, end: number, words: RegExp): number {
  let to = Math.min(lower.length, end + contextAfter);
  while (to < lower.length && to > end && isLetter(lower.charCodeAt(to))) to -= 1;
  const at = lower.slice(end, to).search(words);
  return at < 0 ? 0 : 0.75 - at / (4 * contextAfter);
}

/** Minimum score that adjacent words do not reduce. */
const certainScore = 0.9;

/** Text between a label and its number: `order no. `. */
const numberSign = /^[\s_-]{0,2}(?:no|nr|num|number|nummer|numero|n°|nº|id|ref|#)?[.:#]? ?[:#]? ?$/;

/** Whether a word before a candidate names its number: `order no.`, `Ref:`, `SKU`. */
function isNamed({ lower }: TextView, start: number, recogniser: PiiRecogniser): boolean {
  const text = lower.slice(Math.max(0, start - contextBefore), start);
  const isLabel = (words: RegExp | null | undefined, sign: RegExp): boolean =>
    [...text.matchAll(words ?? /$^/g)].some(({ index, 0: word }) => {
      const rest = text.slice(index + word.length);
      return numberSign.test(rest) && sign.test(rest);
    });
  return isLabel(recogniser.against, /[a-z°º:#]/) || isLabel(recogniser.otherNames, /^/);
}

/** Returns how strongly words before a candidate contradict it, from 0 to 1. */
function contradictionOf(
  view: TextView,
  { start, alone, whole }: PiiCandidate,
  recogniser: PiiRecogniser,
): number {
  if (!recogniser.against || alone >= certainScore) return 0;
  if (whole && recogniser.otherNames) return isNamed(view, start, recogniser) ? 1 : 0;
  return proximityBefore(view, start, recogniser.against);
}

/**
 * Returns the score of a candidate in its context. Closer supporting words result in a higher
 * score.
 */
function scoreOf(view: TextView, candidate: PiiCandidate, recogniser: PiiRecogniser): number {
  const { start, end, alone, inContext } = candidate;
  const { context } = recogniser;
  const support = context
    ? Math.max(proximityBefore(view, start, context), proximityAfter(view, end, context))
    : 0;
  const contradiction = contradictionOf(view, candidate, recogniser);
  if (support > contradiction) return Math.max(alone, inContext - (1 - support) * 0.1);
  return contradiction > 0 ? alone / 2 : alone;
}

/** Returns a candidate as a finding in the original text, scored by its context. */
export function findingOf(
  view: TextView,
  type: EntityType,
  candidate: PiiCandidate,
  recogniser: PiiRecogniser,
): PiiFinding {
  return {
    type,
    start: view.original(candidate.start),
    end: view.original(candidate.end - 1) + 1,
    score: scoreOf(view, candidate, recogniser),
  };
}
