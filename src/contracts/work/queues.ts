/**
 * The queues, one per kind of worker. A BullMQ job is only a hint that work is due; the work itself
 * is a row in Postgres.
 */
export const queueNames = [
  'relay',
  'webhooks',
  'ocr',
  'redact',
  'normalize',
  'classify',
  'imaging',
  'maintenance',
] as const;

export type QueueName = (typeof queueNames)[number];
