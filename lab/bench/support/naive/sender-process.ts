import 'reflect-metadata';
import { Worker } from 'bullmq';
import { request } from 'undici';
import { signedHeaders } from '../../../../src/webhooks/sign.ts';
import { NaiveAttempt, NaiveEndpoint, NaiveEvent, openNaiveDatabase } from './entities.ts';

/**
 * A typical handwritten sender: a BullMQ worker that loads endpoint and event, signs, posts,
 * inserts a row for the attempt and marks the event. BullMQ retries a job that throws. A crash
 * after the post sends twice, losing Redis loses all deliveries, and events are neither ordered nor
 * numbered.
 */
interface Delivery {
  event_id: string;
  endpoint_id: string;
}

const database = await openNaiveDatabase(process.env.DATABASE_URL!);
const endpoints = database.getRepository(NaiveEndpoint);
const events = database.getRepository(NaiveEvent);
const attempts = database.getRepository(NaiveAttempt);

async function deliver({ event_id: eventId, endpoint_id: endpointId }: Delivery): Promise<void> {
  const endpoint = await endpoints.findOneByOrFail({ id: endpointId });
  const event = await events.findOneByOrFail({ id: eventId });
  const body = JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: event.createdAt,
    data: event.data,
  });
  const timestamp = Math.floor(Date.now() / 1_000);
  const startedAt = performance.now();
  const response = await request(endpoint.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signedHeaders({ id: event.id, timestamp, body, secrets: [endpoint.secret] }),
    },
    body,
  });
  await response.body.dump();
  const durationMs = Math.round(performance.now() - startedAt);
  const status = response.statusCode;
  await attempts.save(attempts.create({ eventId, endpointId, status, durationMs }));
  if (status >= 300) throw new Error(`The endpoint answered ${status}.`);
  await events.update({ id: eventId }, { deliveredAt: new Date() });
}

const worker = new Worker<Delivery>('deliver', (job) => deliver(job.data), {
  connection: { url: process.env.REDIS_URL!, maxRetriesPerRequest: null },
  prefix: 'naive',
  concurrency: 50,
});
await worker.waitUntilReady();
process.on('disconnect', () => process.exit());
process.send!({ ready: true });
