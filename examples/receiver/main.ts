import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFeed } from './feed.ts';
import { openJournal } from './journal.ts';
import { createOrder } from './order.ts';
import { createReceiver } from './server.ts';
import { createVerifier } from './verify.ts';

/**
 * Receives the webhooks of a project and prints its events in order. Without WEBHOOK_KEYS, the first
 * start creates a webhook and stores its secret.
 */
const { SERVICE_URL, PROJECT_ID, API_KEY, WEBHOOK_KEYS } = process.env;
if (!SERVICE_URL || !PROJECT_ID || !API_KEY) {
  throw new Error('SERVICE_URL, PROJECT_ID and API_KEY must be set.');
}
const service = { url: SERVICE_URL, projectId: PROJECT_ID, apiKey: API_KEY };
const port = Number(process.env.RECEIVER_PORT ?? 8090);
const folder = process.env.RECEIVER_FOLDER ?? '.data/receiver';
const log = (message: string): void => console.error(message);

const keys = WEBHOOK_KEYS ? WEBHOOK_KEYS.split(',') : [await ownSecret()];
const journal = await openJournal(folder);
const order = createOrder({
  journal,
  feed: createFeed(service),
  gapMs: 1_000,
  retryMs: 5_000,
  log,
  async handle(event, replayId) {
    const note = replayId === null ? '' : ` (replayed by ${replayId})`;
    console.log(`${event.category} ${event.sequence} ${event.type} ${event.resource_id}${note}`);
  },
});
const server = createReceiver({ verify: createVerifier(keys), journal, order, log });
server.listen(port, '127.0.0.1');
await once(server, 'listening');
log(`receiving on http://127.0.0.1:${port}/hooks`);
// Reads the events that were missed while the receiver was down, without waiting for retries.
order.start([`${PROJECT_ID}/domain`]);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    server.close();
    server.closeAllConnections();
    await order.stop();
    await journal.close();
  });
}

/** The secret of this receiver's webhook. Creates the webhook if no secret is stored. */
async function ownSecret(): Promise<string> {
  const file = join(folder, 'secret');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return kept.trim();
  const response = await fetch(`${service.url.replace(/\/$/, '')}/v1/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      'x-service-project-id': service.projectId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url: `http://127.0.0.1:${port}/hooks`, event_types: ['*'] }),
  });
  const made = (await response.json()) as { id: string; secret?: string };
  if (!made.secret) throw new Error(`The webhook was not created: ${JSON.stringify(made)}`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, made.secret, { mode: 0o600 });
  log(`created the webhook ${made.id}`);
  return made.secret;
}
