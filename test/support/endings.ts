import type { Database } from '../../src/db/database.ts';
import { goOnEnding } from '../../src/webhooks/delivery/ending/end-later.ts';
import { stepTask } from './tasks.ts';

/**
 * Ends a batch of what a disabled or deleted endpoint was owed, as a worker of the maintenance queue
 * does; false if none is left.
 */
export function stepEnding(worker: Database, endpointId: string): Promise<boolean> {
  return stepTask(worker, 'webhook.end', endpointId, goOnEnding);
}
