import type { OpenSealed } from '@scriptorium/contracts/documents/sealed';
import type { Database } from '../../../db/database.ts';
import type { Logger } from '../../../logger.ts';
import type { Tracing } from '../../../tracing.ts';
import type { Dialer } from '../../dialing/dial.ts';
import type { ClaimedDelivery } from './claim.ts';

/** The report of an attempt, for metrics. */
export interface AttemptFact {
  outcome: 'succeeded' | 'failed';
  trigger: ClaimedDelivery['trigger'];
  seconds: number;
  /** For the first attempt: the age of its event. */
  lagSeconds: number | null;
}

/** The dependencies of the sender. */
export interface DeliverDeps {
  database: Database;
  dialer: Pick<Dialer, 'post'>;
  /** Opens values sealed under `SECRET_KEY`. */
  unseal: OpenSealed;
  /** Seconds before each attempt. */
  retrySchedule: readonly number[];
  observeAttempt: (fact: AttemptFact) => void;
  /** Wakes relays after a failure, which may have scheduled work. */
  wake: () => void;
  logger: Logger;
  tracing: Tracing;
}
