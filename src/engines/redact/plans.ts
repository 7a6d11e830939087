import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { EngineError } from '../errors.ts';
import type { PlannedPage } from './calls.ts';
import { isPlannedPage } from './results.ts';

/** Reads the planned pages of a document. Throws EngineError invalid_argument. */
export async function readPlans(plansFile: string): Promise<PlannedPage[]> {
  const plans: PlannedPage[] = [];
  const lines = createInterface({ input: createReadStream(plansFile), crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const value: unknown = JSON.parse(line);
    if (!isPlannedPage(value)) {
      throw new EngineError('invalid_argument', 'The plan of a page is malformed.');
    }
    plans.push(value);
  }
  if (plans.length === 0) {
    throw new EngineError('invalid_argument', 'There is no page to redact.');
  }
  return plans;
}
