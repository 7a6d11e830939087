import type { Tx } from '../../src/db/transaction.ts';
import { fanOutEvents, numberEvents } from '../../src/outbox/relay/number.ts';
import { deliverNumbered, type SenderChoice } from '../../src/webhooks/relay/deliver-numbered.ts';
import { deliverFanOut } from '../../src/webhooks/relay/subscribers.ts';

/** A round of numbering as a relay makes it. */
export const numberRound = (tx: Tx, by: SenderChoice = 'none', since = '') =>
  numberEvents(tx, deliverNumbered(by), since);

/** A round of fanning out as a relay makes it. */
export const fanOutRound = (tx: Tx) => fanOutEvents(tx, deliverFanOut);
