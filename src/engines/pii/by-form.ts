import { scoreOf } from './context.ts';
import type { PiiFinding } from './finding.ts';
import { isPartOfMore } from './groups.ts';
import type { PiiRecogniser } from './recogniser.ts';
import { type PatternType, piiRecognisers } from './registry.ts';
import type { TextView } from './view.ts';

/** Finds values of some types by their form, their checks and the words near them. */
export function findByForm(
  view: TextView,
  types: readonly PatternType[],
  minConfidence: number,
): PiiFinding[] {
  const findings: PiiFinding[] = [];
  for (const type of types) {
    for (const recogniser of piiRecognisers[type]) {
      for (const candidate of recogniser.candidates(view)) {
        if (Math.max(candidate.alone, candidate.inContext) < minConfidence) continue;
        if (isPartOfMore(view, candidate, isLabelOf(recogniser))) continue;
        findings.push({
          type,
          start: view.original(candidate.start),
          end: view.original(candidate.end - 1) + 1,
          score: scoreOf(view, candidate, recogniser),
        });
      }
    }
  }
  return findings;
}

/** Whether letters before a hyphen name what follows: `SSN-460…`. */
const isLabelOf =
  ({ context }: PiiRecogniser) =>
  (letters: string): boolean =>
    context !== null && letters.toLowerCase().search(context) === 0;
