import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '../../errors.ts';
import { isPlannedPage } from './guards.ts';
import type { PlannedPage } from './plan.ts';

/** Reads planned pages from a file, one at a time. Throws EngineError invalid_argument. */
export async function* plansIn(plansFile: string): AsyncGenerator<PlannedPage> {
  const file = await open(plansFile);
  try {
    for await (const line of file.readLines()) {
      if (line.trim() === '') continue;
      const value: unknown = JSON.parse(line);
      if (!isPlannedPage(value)) {
        throw new EngineError('invalid_argument', 'The plan of a page is malformed.');
      }
      yield value;
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads all planned pages of a document. Throws EngineError invalid_argument, also if there are
 * none.
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
export async function writePlans(
  plansFile: string,
  plans: Iterable<PlannedPage> | AsyncIterable<PlannedPage>,
): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const plan of plans) yield `${JSON.stringify(plan)}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(plansFile));
}
