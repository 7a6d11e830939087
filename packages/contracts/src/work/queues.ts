/**
 * The queues, one per kind of worker that takes hints. A BullMQ job is only a hint that work is due; the
 * work itself is a row in Postgres.
 */
export const queueNames = [
  'webhooks',
  'ocr',
  'redact',
  'normalize',
  'classify',
  'imaging',
  'maintenance',
] as const;

export type QueueName = (typeof queueNames)[number];

/** What a worker process can run: the relay, which hands out the hints, and workers of the queues. */
export const workerNames = ['relay', ...queueNames] as const;

export type WorkerName = (typeof workerNames)[number];
