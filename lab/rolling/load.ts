import { setTimeout as delay } from 'node:timers/promises';
import { createPick } from '../../test/support/random.ts';
import { foreignResources } from '../torture/actions/action.ts';
import { type ActionName, actions, actionWeights } from '../torture/actions/index.ts';
import { subscribeTo } from '../torture/actions/webhooks.ts';
import { createClient, isRequestUndecided } from '../torture/client.ts';
import { Ledger } from '../torture/ledger.ts';
import type { System } from './system.ts';

/** Clients of the model that work until they are stopped. */
export interface Load {
  ledger: Ledger;
  /** Resolves when the last request has been decided. */
  stop(): Promise<void>;
}

/** How long a request may stay undecided. */
const patienceMs = 60_000;

const weightedActions = Object.entries(actionWeights).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as ActionName),
);

/** Starts clients in both projects, each with a pause between its requests. */
export async function startLoad(
  system: Pick<System, 'url' | 'projects' | 'receiver'>,
  { seed, clients: count, pauseMs }: { seed: number; clients: number; pauseMs: number },
): Promise<Load> {
  const ledger = new Ledger(seed);
  const stopped = new AbortController();
  const receiver = new URL(system.receiver.url).origin;
  const clients = Array.from({ length: count }, (_, number) =>
    createClient(number, system.projects[number % system.projects.length]!, ledger, {
      urls: [system.url],
      recoveryMs: patienceMs,
      abortSignal: new AbortController().signal,
    }),
  );
  for (const project of system.projects) {
    const client = clients.find((one) => one.project === project);
    if (client) await subscribeTo({ client }, ['*'], receiver);
  }
  const clientLoops = clients.map(async (client) => {
    const pick = createPick(seed + client.number + 1);
    // The first requests create resources that later ones can change.
    for (let requestCount = 0; !stopped.signal.aborted; requestCount += 1) {
      const name = requestCount < 2 ? 'upload' : weightedActions[pick(weightedActions.length)]!;
      try {
        await actions[name]({ client, pick, receiver, foreign: foreignResources(client) });
      } catch (error) {
        if (!isRequestUndecided(error)) ledger.violations.push(`${name} failed: ${String(error)}`);
      }
      await delay(pick(2 * pauseMs));
    }
  });
  return {
    ledger,
    async stop() {
      stopped.abort();
      await Promise.all(clientLoops);
    },
  };
}
