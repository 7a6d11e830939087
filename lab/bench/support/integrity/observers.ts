import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newSecret, parseVerifyingKey, verify } from '../../../../src/webhooks/sign.ts';
import type { Ledger } from './ledger.ts';
import { numbersOf } from './writers.ts';

/** A project, and the key that reads its feed. */
export interface ObservedProject {
  id: string;
  key: string;
}

const pollMs = 100;
/** The share of webhooks that the receiver rejects, so that they are retried. */
const rejectedShare = 0.003;

/**
 * Reads a project's feed by cursor until it is stopped. Every page must continue where the previous
 * one ended; while the database is unreachable, the API may only respond with 503.
 */
export async function readFeed(
  url: string,
  projects: readonly ObservedProject[],
  project: number,
  ledger: Ledger,
  stop: AbortSignal,
): Promise<void> {
  const { id, key } = projects[project]!;
  let cursor: string | null = null;
  let last = 0;
  while (!stop.aborted) {
    const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${url}/v1/events?limit=1000${from}`, {
      headers: { Authorization: `Bearer ${key}`, 'X-Service-Project-ID': id },
    });
    if (response.status !== 200) {
      const text = await response.text();
      if (response.status !== 503) ledger.addFault('feed', `answer ${response.status}: ${text}`);
      await delay(pollMs);
      continue;
    }
    const page = (await response.json()) as {
      data: { sequence: number; data: Record<string, unknown> }[];
      has_more: boolean;
      next_cursor: string;
    };
    for (const event of page.data) {
      if (event.sequence !== last + 1) {
        ledger.addFault('feed', `project ${project} went from ${last} to ${event.sequence}`);
      }
      last = event.sequence;
      ledger.observe('feed', project, event.sequence, numbersOf(event.data));
    }
    cursor = page.next_cursor;
    if (!page.has_more) await delay(pollMs);
  }
}

/**
 * A receiver of webhooks that checks every signature, and rejects a few so that they are retried.
 */
export async function receiveWebhooks(
  projects: readonly ObservedProject[],
  ledger: Ledger,
  random: () => number,
): Promise<{ url: string; secret: string; rejected: () => number; close(): void }> {
  const secret = newSecret();
  const keys = [parseVerifyingKey(secret)];
  const projectIndexes = new Map(projects.map(({ id }, at) => [id, at]));
  let rejectedCount = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Its sender may be killed while sending.
    request.on('error', () => undefined);
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const id = String(request.headers['webhook-id']);
      const isGenuine = verify(
        {
          id,
          timestamp: String(request.headers['webhook-timestamp']),
          signature: String(request.headers['webhook-signature']),
          body,
        },
        { keys, now: Math.floor(Date.now() / 1_000) },
      );
      const event = JSON.parse(body.toString('utf8'));
      if (!isGenuine) ledger.addFault('webhooks', `the signature of ${id} is wrong`);
      if (event.id !== id) ledger.addFault('webhooks', `${id} came with the body of ${event.id}`);
      const isRejected = random() < rejectedShare;
      if (isRejected) rejectedCount += 1;
      else {
        ledger.observe(
          'webhooks',
          projectIndexes.get(event.project_id)!,
          event.sequence,
          numbersOf(event.data),
        );
      }
      response.writeHead(isRejected ? 500 : 204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret,
    rejected: () => rejectedCount,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
