import { EngineError } from '@scriptorium/sandbox/errors';
import { readJsonLines, writeJsonLines } from '../../files/json-lines.ts';
import { isPlannedPage } from './guards.ts';
import type { PlannedPage } from './plan.ts';

/**
 * Reads planned pages from a file, one at a time.
 * @throws EngineError `invalid_argument` if a line is malformed
 */
export const plansIn = (plansFile: string): AsyncGenerator<PlannedPage> =>
  readJsonLines(plansFile, isPlannedPage);

/**
 * Reads all planned pages of a document.
 * @throws EngineError `invalid_argument` if a line is malformed or the file has no pages
 */
export async function readPlans(plansFile: string): Promise<PlannedPage[]> {
  const plans: PlannedPage[] = [];
  for await (const plan of plansIn(plansFile)) plans.push(plan);
  if (plans.length === 0) {
    throw new EngineError('invalid_argument', 'No pages to redact.');
  }
  return plans;
}

/** Writes planned pages to a file, one per line of JSON. */
export const writePlans: (
  plansFile: string,
  plans: Iterable<PlannedPage> | AsyncIterable<PlannedPage>,
) => Promise<void> = writeJsonLines;
