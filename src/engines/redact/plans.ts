import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { EngineError } from '../errors.ts';
import { hasFields, isListOf, isNumber, isOneOf, isString } from '../results.ts';
import type { PlannedPage } from './calls.ts';

const isRemoval = (value: unknown): boolean =>
  hasFields(value, {
    type: isString,
    score: isNumber,
    value: isString,
    boxes: isListOf(isListOf(isNumber, 4)),
    source: isOneOf('pdf', 'ocr'),
  });

const size = { page: isNumber, widthPt: isNumber, heightPt: isNumber };

function isPlannedPage(value: unknown): value is PlannedPage {
  return (
    hasFields(value, {
      ...size,
      state: isOneOf('planned'),
      removals: isListOf(isRemoval),
      redactedText: isString,
    }) || hasFields(value, { ...size, state: isOneOf('failed') })
  );
}

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
