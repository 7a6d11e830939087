import type { Database } from '../db/database.ts';
import type { JobDeps } from '../jobs/step.ts';
import type { ImagingDeps } from '../library/images/deps.ts';
import type { Redis } from '../queues/connection.ts';
import type { Queues } from '../queues/hints.ts';
import type { Bell, Wake } from '../queues/wake.ts';
import type { DeliverDeps } from '../webhooks/delivery/sending/deliver.ts';
import type { Dialer } from '../webhooks/dialing/dial.ts';
import type { LocalSender } from './local-sender.ts';
import type { WorkerMetrics } from './metrics.ts';

/** What worker processes run on; made once, by the entry file. */
export interface WorkerDeps extends JobDeps, ImagingDeps, Omit<DeliverDeps, 'observeAttempt'> {
  dialer: Dialer;
  metrics: WorkerMetrics;
  /** The pool under the relay's role; only a process that relays has one. */
  relayDatabase: Database | null;
  queues: Queues;
  /** Fails fast; for adding hints. */
  redis: Redis;
  /** Opens a connection of a BullMQ worker's own, which waits for Redis. */
  connect: () => Redis;
  /** Rings; `bell` is what a relay answers. */
  wake: Wake;
  bell: Bell;
  /** Who sends webhooks in this process, for a relay beside it. */
  local: { sender: LocalSender | null };
  /** Names this process in the heartbeat. */
  workerId: string;
  retentionDays: number;
}

/** A worker that runs until it is stopped. */
export interface RunningWorker {
  /** Takes nothing new; what is in hand finishes or, after the grace, goes back. */
  stop(graceMs: number): Promise<void>;
}
