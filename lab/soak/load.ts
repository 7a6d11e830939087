import { createPick } from '../../test/support/random.ts';
import { imageOf } from '../../test/support/samples.ts';
import type { System } from '../rolling/system.ts';
import { type RequestContext, type RequestKind, requestKindNames, requestKinds } from './kinds.ts';

/** A request: when it was due, and how long after that it was answered, in milliseconds. */
interface Timing {
  kind: RequestKind;
  at: number;
  ms: number;
}

/** Sends requests at a fixed rate, whether or not earlier ones have been answered. */
export interface Traffic {
  timings: Timing[];
  /** What went wrong. */
  faults: string[];
  /** The number of requests in progress. */
  open(): number;
  stop(): Promise<void>;
}

const weightedKinds = requestKindNames.flatMap((name) =>
  Array.from({ length: requestKinds[name].weight }, () => name),
);
const letter = [
  '# Harbour office',
  'Dear Ms Anna Lindqvist, the fee of 412.50 EUR for the berth was paid on 3 March 2024.',
  'Please write to anna.lindqvist@example.com or call +44 20 7946 0958 before the next tide.',
].join('\n\n');

export async function startTraffic(
  system: System,
  { perSecond, seed }: { perSecond: number; seed: number },
): Promise<Traffic> {
  const lines = ['The harbour opens at nine', 'Fees are paid at the office', 'Low tide is at noon'];
  const samples = {
    letter,
    scannedPage: new Uint8Array(await imageOf('png', lines)),
    picture: new Uint8Array(await imageOf('png', ['Tide'])),
  };
  const pick = createPick(seed);
  const contexts: RequestContext[] = system.projects.map((project) => ({
    project,
    pick,
    samples,
    url: system.url,
    receiver: new URL(system.receiver.url).origin,
    resources: { objects: [], webhooks: [], shares: [] },
  }));
  const timings: Timing[] = [];
  const faults: string[] = [];
  const openRequests = new Set<Promise<void>>();
  const began = Date.now();
  let sent = 0;
  const send = (): void => {
    // All requests that are due by now: a timer that fires late sends several.
    for (; sent < ((Date.now() - began) / 1_000) * perSecond; sent += 1) {
      const at = began + (sent * 1_000) / perSecond;
      const kind = weightedKinds[pick(weightedKinds.length)]!;
      const running: Promise<void> = requestKinds[kind]
        .run(contexts[sent % contexts.length]!)
        .catch((error: unknown) => {
          faults.push(`${new Date().toISOString()} ${kind}: ${String(error)}`);
        })
        .then(() => {
          timings.push({ kind, at, ms: Date.now() - at });
          openRequests.delete(running);
        });
      openRequests.add(running);
    }
  };
  const timer = setInterval(send, 10);
  return {
    timings,
    faults,
    open: () => openRequests.size,
    async stop() {
      clearInterval(timer);
      await Promise.all(openRequests);
    },
  };
}
