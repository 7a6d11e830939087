import { once } from 'node:events';
import { startChild } from '../children.ts';

/**
 * The receipt of all expected webhooks: its time on the machine's clock, and the size of bodies.
 */
interface Received {
  /** Milliseconds as `machineMs` counts them. */
  at: number;
  /** Bytes of a body, on average. */
  bytes: number;
}

/**
 * A receiver of webhooks in a separate process, so that it takes no time from the measured ones.
 */
export interface BenchReceiver {
  pid: number;
  origins: string[];
  /**
   * Resets the count. The inner promise resolves when this many have arrived, each counted once.
   */
  expect(count: number): Promise<{ all: Promise<Received> }>;
  close(): Promise<void>;
}

/** Milliseconds by a clock that all processes of this machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export async function startReceiver(ports: number): Promise<BenchReceiver> {
  const child = await startChild('webhooks/receiver-process.ts', { PORTS: String(ports) });
  return {
    pid: child.pid,
    origins: (child.firstMessage as { ports: number[] }).ports.map(
      (port) => `http://127.0.0.1:${port}`,
    ),
    async expect(count) {
      const ready = once(child.process, 'message');
      child.process.send({ expect: count });
      await ready;
      return { all: once(child.process, 'message').then(([message]) => message as Received) };
    },
    close: () => child.kill(),
  };
}

/** How a hostile receiver responds to a webhook; `polite` is for comparison. */
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

/** Misbehaving receivers in a separate process; each origin has its own address. */
export interface HostileReceivers {
  url(at: number, behaviour: Behaviour): string;
  close(): Promise<void>;
}

export async function startHostile(ports: number): Promise<HostileReceivers> {
  const child = await startChild('webhooks/hostile-process.ts', { PORTS: String(ports) });
  const hostilePorts = (child.firstMessage as { ports: number[] }).ports;
  return {
    url: (at, behaviour) =>
      `http://127.0.0.1:${hostilePorts[at % hostilePorts.length]}/${behaviour}`,
    close: () => child.kill(),
  };
}
