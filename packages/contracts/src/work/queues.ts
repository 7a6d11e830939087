/**
 * The queues, one per kind of worker that takes hints. A BullMQ job is only a hint that work is
 * due. The work is a row in Postgres.
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

/** The workers that a process can run: the relay, which sends the hints, and one for each queue. */
export const workerNames = ['relay', ...queueNames] as const;

export type WorkerName = (typeof workerNames)[number];
