import type { Database } from '../db/database.ts';
import type { JobDeps } from '../jobs/steps/step.ts';
import type { EmbedDeps } from '../library/embeddings/embed.ts';
import type { ImagingDeps } from '../library/images/deps.ts';
import type { Redis } from '../queues/connection.ts';
import type { Queues } from '../queues/hints.ts';
import type { Wake, WakeChannel } from '../queues/wake.ts';
import type { DeliverDeps } from '../webhooks/delivery/sending/deps.ts';
import type { Dialer } from '../webhooks/dialing/dial.ts';
import type { WorkerMetrics } from './metrics.ts';
import type { LocalSender } from './webhooks/webhooks.ts';

/** The dependencies of workers, created once by the entry file. */
export interface WorkerDeps
  extends JobDeps,
    ImagingDeps,
    EmbedDeps,
    Omit<DeliverDeps, 'observeAttempt'> {
  dialer: Dialer;
  metrics: WorkerMetrics;
  /** The pool under the relay's role; only in a process that runs a relay. */
  relayDatabase: Database | null;
  queues: Queues;
  /** Fails fast; for adding hints. */
  redis: Redis;
  /** Opens a connection for a BullMQ worker, which waits for Redis. */
  connect: () => Redis;
  /** Wakes the relays; a relay registers with the channel. */
  wake: Wake;
  wakeChannel: WakeChannel;
  /** The sender of webhooks in this process, for a relay in the same process. */
  local: { sender: LocalSender | null };
  /** Identifies this process in the heartbeat. */
  workerId: string;
  retentionDays: number;
}

/** A worker that runs until it is stopped. */
export interface RunningWorker {
  /** Accepts no new work. Work in progress finishes or is released after the grace period. */
  stop(graceMs: number): Promise<void>;
}
