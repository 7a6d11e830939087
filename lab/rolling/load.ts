import { setTimeout as delay } from 'node:timers/promises';
import { pickFrom } from '../../test/support/random.ts';
import { createClient, isUnanswered } from '../torture/client.ts';
import { foreignTo } from '../torture/deeds/deed.ts';
import { type DeedName, deeds, deedWeights } from '../torture/deeds/index.ts';
import { subscribeTo } from '../torture/deeds/webhooks.ts';
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

const bag = Object.entries(deedWeights).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as DeedName),
);

/** Starts clients in both projects, each with a pause between its requests. */
export async function startLoad(
  system: Pick<System, 'url' | 'projects' | 'receiver'>,
  { seed, clients: count, pauseMs }: { seed: number; clients: number; pauseMs: number },
): Promise<Load> {
  const ledger = new Ledger(seed);
  const over = new AbortController();
  const receiver = new URL(system.receiver.url).origin;
  const clients = Array.from({ length: count }, (_, number) =>
    createClient(number, system.projects[number % system.projects.length]!, ledger, {
      ...{ urls: [system.url], patienceMs, over: new AbortController().signal },
    }),
  );
  for (const project of system.projects) {
    const client = clients.find((one) => one.project === project);
    if (client) await subscribeTo({ client }, ['*'], receiver);
  }
  const working = clients.map(async (client) => {
    const pick = pickFrom(seed + client.number + 1);
    // The first requests create resources that later ones can change.
    for (let done = 0; !over.signal.aborted; done += 1) {
      const name = done < 2 ? 'upload' : bag[pick(bag.length)]!;
      try {
        await deeds[name]({ client, pick, receiver, foreign: foreignTo(client) });
      } catch (error) {
        if (!isUnanswered(error)) ledger.violations.push(`${name} failed: ${String(error)}`);
      }
      await delay(pick(2 * pauseMs));
    }
  });
  return {
    ledger,
    async stop() {
      over.abort();
      await Promise.all(working);
    },
  };
}
