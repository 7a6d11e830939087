import type { Database } from '../../src/db/database.ts';
import { runReplay } from '../../src/webhooks/replays/run.ts';
import { stepTask } from './tasks.ts';

/** Runs one step of a replay, as a worker of the maintenance queue does; false if none is left. */
export function runReplayStep(worker: Database, replayId: string): Promise<boolean> {
  return stepTask(worker, 'webhook.replay', replayId, runReplay);
}
