import type { Registry } from 'prom-client';
import type { RateLimits } from '../access/rate-limits.ts';
import type { Seal } from '../access/seal.ts';
import type { Signer } from '../access/signer.ts';
import type { Database } from '../db/database.ts';
import type { UploadLocks } from '../library/uploads/locks.ts';
import type { Logger } from '../logger.ts';
import type { EventListener } from '../outbox/feed/listen.ts';
import type { Redis } from '../queues/connection.ts';
import type { Queues } from '../queues/hints.ts';
import type { Wake } from '../queues/wake.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tracing } from '../tracing.ts';
import type { Dialer } from '../webhooks/dialing/dial.ts';

/** What an operator decides about the API, out of the process's configuration. */
export interface ApiSettings {
  /** One proxy stands in front and its X-Forwarded-For is to be believed. */
  trustProxy: boolean;
  /** Where clients reach this service: `https://files.example.com`. Null: what they say in Host. */
  publicUrl: string | null;
  /** Origins whose pages may call the API; `*` is all of them. */
  corsOrigins: readonly string[];
  /** Without one there is no board, and no metrics on this port. */
  operatorPassword: string | null;
  boardWritable: boolean;
  /** Where webhooks may go although the addresses are private. */
  webhookAllowCidrs: readonly string[];
  /** What can be recognised, as Tesseract's codes; null where nothing is known of the workers. */
  ocrLanguages: readonly string[] | null;
  /** Answers are held against their schemas, and a wrong one is a 500: for tests. */
  checkAnswers: boolean;
}

/** Everything the API works with, made by the entry file and passed down. */
export interface Deps {
  database: Database;
  /** Null where none is configured; while it is out of reach nothing waits for it. */
  redis: Redis | null;
  queues: Queues | null;
  storage: Storage;
  uploadLocks: UploadLocks;
  /** Wakes those who wait for events. */
  events: EventListener;
  /** Checks where a webhook may go, and sends tests there. */
  dialer: Pick<Dialer, 'check' | 'post'>;
  logger: Logger;
  tracing: Tracing;
  wake: Wake;
  seal: Seal;
  signer: Signer;
  rateLimits: RateLimits;
  metrics: Registry;
  settings: ApiSettings;
}
