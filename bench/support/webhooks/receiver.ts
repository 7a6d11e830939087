import { once } from 'node:events';
import { startChild } from '../children.ts';

/** All that was expected has come: when, on the machine's own clock, and how long bodies were. */
interface Received {
  /** Milliseconds as `machineMs` counts them. */
  at: number;
  /** Bytes of a body, on average. */
  bytes: number;
}

/** A receiver of webhooks in a process of its own, so that it costs the measured ones no time. */
export interface BenchReceiver {
  pid: number;
  origins: string[];
  /** Forgets what came; the promise inside resolves when so many have come, each counted once. */
  expect(count: number): Promise<{ all: Promise<Received> }>;
  close(): Promise<void>;
}

/** Milliseconds that mean the same in every process of this machine. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export async function startReceiver(ports: number): Promise<BenchReceiver> {
  const child = await startChild('webhooks/receiver-process.ts', { PORTS: String(ports) });
  return {
    pid: child.pid,
    origins: (child.told as { ports: number[] }).ports.map((port) => `http://127.0.0.1:${port}`),
    async expect(count) {
      const ready = once(child.process, 'message');
      child.process.send({ expect: count });
      await ready;
      return { all: once(child.process, 'message').then(([message]) => message as Received) };
    },
    close: () => child.end(),
  };
}

/** What a hostile receiver does with a webhook; `polite` is for comparison. */
export const behaviours = [
  'polite',
  '500',
  'hang',
  'drip',
  'redirect',
  'endless',
  'reset',
  'late',
  '429',
  '410',
] as const;
export type Behaviour = (typeof behaviours)[number];

/** Receivers that misbehave, in a process of their own; each origin has an address of its own. */
export interface HostileReceivers {
  url(at: number, behaviour: Behaviour): string;
  close(): Promise<void>;
}

export async function startHostile(ports: number): Promise<HostileReceivers> {
  const child = await startChild('webhooks/hostile-process.ts', { PORTS: String(ports) });
  const found = (child.told as { ports: number[] }).ports;
  return {
    url: (at, behaviour) => `http://127.0.0.1:${found[at % found.length]}/${behaviour}`,
    close: () => child.end(),
  };
}
