import type { Database } from '../../db/database.ts';
import { type Loop, startLoop } from '../../outbox/loop.ts';
import type { WorkerDeps } from '../deps.ts';
import { createRelayLog, type RelayLog } from './log.ts';

/** What the parts of a relay share. */
export interface RelayContext {
  readonly deps: WorkerDeps;
  readonly database: Database;
  readonly log: RelayLog;
  /** Starts a loop, which stops with the relay. */
  start(name: string, idleMs: number, round: () => Promise<boolean>): Loop;
  /** Hints can be added. */
  redisReady(): boolean;
}

/** The relay's own timer: the maximum cost of a lost wake-up. */
export const idleMs = 250;

/** Creates the context of a relay, and the function that stops its loops. */
export function createContext(deps: WorkerDeps): {
  context: RelayContext;
  stopLoops: () => Promise<void>;
} {
  const { relayDatabase: database, logger } = deps;
  if (!database) throw new Error('A relay needs DATABASE_RELAY_URL.');
  const loops: Loop[] = [];
  return {
    context: {
      deps,
      database,
      log: createRelayLog(logger, deps.tracing),
      start(name, idleMs, round) {
        const loop = startLoop(name, { idleMs, logger }, round);
        loops.push(loop);
        return loop;
      },
      redisReady: () => deps.redis.status === 'ready',
    },
    async stopLoops() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
