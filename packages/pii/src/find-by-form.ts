import { findingOf } from './context.ts';
import type { PiiFinding } from './finding.ts';
import { isPartOfLongerNumber } from './groups.ts';
import { typesNamedIn } from './labels/scan.ts';
import type { PiiCandidate, PiiRecogniser } from './recogniser.ts';
import { type PatternType, piiRecognisers } from './registry.ts';
import type { TextView } from './view.ts';

/** The score of a specific form in a text that names its kind. */
const namedScore = 0.5;
/**
 * Maximum score of a form without context if its parts are on separate lines that may be unrelated.
 */
const maxTornScore = 0.3;
/** Minimum length of a line of prose before a value that did not fit on the line, in characters. */
const minLine = 20;

/**
 * Whether a value extends over the end of a line that is not full, for example from one row of a
 * table to the next. A value with a strong check may extend over any line end.
 */
function spansUnrelatedLines({ text }: TextView, { start, end, alone }: PiiCandidate): boolean {
  const at = text.slice(start, end).indexOf('\n');
  if (at < 0 || alone >= 0.9) return false;
  const lineBefore = text.slice(
    Math.max(0, text.lastIndexOf('\n', start - 1) + 1, start - 400),
    start,
  );
  const isProse =
    lineBefore.length > minLine && /\p{L}{2}/u.test(lineBefore) && !/\t| {2}/.test(lineBefore);
  return !isProse || text.slice(start + at + 1, end).includes('\n');
}

/** Finds values of some types by their form, their checks and the words near them. */
export function findByForm(
  view: TextView,
  types: readonly PatternType[],
  minConfidence: number,
): PiiFinding[] {
  const findings: PiiFinding[] = [];
  const isNamed = (type: PatternType): boolean => typesNamedIn(view).has(type);
  for (const type of types) {
    for (const recogniser of piiRecognisers[type]) {
      for (const candidate of recogniser.candidates(view)) {
        if (Math.max(candidate.alone, candidate.inContext) < minConfidence) continue;
        if (isPartOfLongerNumber(view, candidate, isLabelOf(recogniser))) continue;
        const { alone, specific } = candidate;
        const min = specific && isNamed(type) ? namedScore : alone;
        const max = spansUnrelatedLines(view, candidate) ? maxTornScore : 1;
        const scored = { ...candidate, alone: Math.min(max, Math.max(alone, min)) };
        findings.push(findingOf(view, type, scored, recogniser));
      }
    }
  }
  return findings;
}

/** Whether letters before a hyphen name the value that follows: `SSN-460…`. */
const isLabelOf =
  ({ context }: PiiRecogniser) =>
  (letters: string): boolean =>
    context !== null && letters.toLowerCase().search(context) === 0;
