import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import type { Event } from '../../examples/receiver/event.ts';
import type { Feed } from '../../examples/receiver/feed.ts';
import { type Journal, openJournal } from '../../examples/receiver/journal.ts';
import { createOrder, type Handle, type Order } from '../../examples/receiver/order.ts';
import { createReceiver } from '../../examples/receiver/server.ts';
import { createVerifier } from '../../examples/receiver/verify.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';

export const now = (): number => Math.floor(Date.now() / 1_000);

/** An event as the service would send it. */
export function eventOf(sequence: number, projectId = 'prj_1'): Event {
  return {
    id: newId('event'),
    type: 'dam.object.trashed',
    project_id: projectId,
    resource_id: 'obj_1',
    category: 'domain',
    sequence,
    occurred_at: '2026-01-01T00:00:00.000Z',
    data: {},
  };
}

export function signed(
  event: Event,
  secrets: string[],
  more: { timestamp?: number; replayId?: string } = {},
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(event);
  return {
    body,
    headers: signedHeaders({ id: event.id, timestamp: now(), body, secrets, ...more }),
  };
}

/** The example's receiver, run in this process, with the events it handled. */
export interface Running {
  url: string;
  handled: { event: Event; replayId: string | null }[];
  journal: Journal;
  order: Order;
  stop(): Promise<void>;
}

export async function runReceiver(options: {
  folder: string;
  keys: string[];
  feed: Feed;
  handle?: Handle;
  gapMs?: number;
  start?: string[];
  port?: number;
}): Promise<Running> {
  const handled: Running['handled'] = [];
  const journal = await openJournal(options.folder);
  const order = createOrder({
    journal,
    feed: options.feed,
    gapMs: options.gapMs ?? 20,
    retryMs: 20,
    log: () => undefined,
    async handle(event, replayId) {
      await options.handle?.(event, replayId);
      handled.push({ event, replayId });
    },
  });
  const verify = createVerifier(options.keys);
  const server = createReceiver({ verify, journal, order, log: () => undefined });
  const port = await listen(server, options.port);
  order.start(options.start ?? []);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    handled,
    journal,
    order,
    async stop() {
      await closeServer(server);
      await order.stop();
      await journal.close();
    },
  };
}

export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export async function send(
  url: string,
  message: { body: string; headers: Record<string, string> },
): Promise<number> {
  const response = await fetch(url, { method: 'POST', ...message });
  await response.arrayBuffer();
  return response.status;
}

export const sequences = (running: Running): number[] =>
  running.handled.map(({ event }) => event.sequence);

/** Receivers in this process and their folders, which `clear` stops and removes. */
export function startReceivers() {
  const folders: string[] = [];
  const running: Running[] = [];
  return {
    async temporary(): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'scriptorium-receiver-'));
      folders.push(folder);
      return folder;
    },
    async started(options: Parameters<typeof runReceiver>[0]): Promise<Running> {
      const it = await runReceiver(options);
      running.push(it);
      return it;
    },
    async clear(): Promise<void> {
      for (const it of running.splice(0)) await it.stop();
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
    },
  };
}
