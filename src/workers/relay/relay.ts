import { hearBell } from '../../queues/wake.ts';
import type { RunningWorker, WorkerDeps } from '../deps.ts';
import { createContext } from './context.ts';
import { startDispatching } from './dispatch.ts';
import { startHandOvers } from './hand-over.ts';
import { startNumbering } from './numbering.ts';
import { startUpkeep } from './upkeep.ts';

/**
 * Starts the relay: it numbers events, fans them out, hands work over and sweeps. Numbering and
 * fanning out continue without Redis. Any number of relays may run.
 */
export function startRelay(deps: WorkerDeps): RunningWorker {
  const { context, stopLoops } = createContext(deps);
  const handOvers = startHandOvers(context);
  const dispatching = startDispatching(context, handOvers.kickWebhooks);
  const ring = startNumbering(context, handOvers, dispatching);
  startUpkeep(context, handOvers.scout);

  const leave = deps.bell.answer(() => ring({ here: true }));
  const ear = hearBell(deps.connect(), () => ring({ here: false }));

  return {
    async stop() {
      leave();
      ear.close();
      await stopLoops();
      handOvers.stop();
      await dispatching.stop();
    },
  };
}
