import type { Database } from '../../src/db/database.ts';
import { continueEnding } from '../../src/webhooks/delivery/ending/schedule-ending.ts';
import { stepTask } from './tasks.ts';

/**
 * Ends a batch of what a disabled or deleted endpoint was owed, as a worker of the maintenance queue
 * does; false if none is left.
 */
export function runEndingStep(worker: Database, endpointId: string): Promise<boolean> {
  return stepTask(worker, 'webhook.end', endpointId, continueEnding);
}
