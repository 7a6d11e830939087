import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Logger } from '../logger.ts';
import { type Claim, type ClaimedDelivery, claimDeliveries } from './claim.ts';
import type { Dialer, DialResult } from './dialing/dial.ts';
import { composeMessage } from './message.ts';
import { type SettledDelivery, settleDeliveries } from './settle.ts';

/** The whole exchange with a receiver, its body included. */
export const deliveryDeadlineMs = 15_000;
/** Results are stored together, but a slow answer does not hold the quick ones back longer. */
const settleEveryMs = 500;

export interface DeliverDeps {
  database: Database;
  dialer: Dialer;
  /** Opens what `SECRET_KEY` sealed. */
  unseal: (sealed: string) => string;
  /** Seconds before each attempt. */
  retrySchedule: readonly number[];
  logger: Logger;
}

/**
 * Sends what is due to one endpoint: claims up to twenty deliveries in one statement, posts them at
 * once, and stores what came of them as it comes.
 * @returns how many were sent
 */
export async function deliverTo(deps: DeliverDeps, endpointId: string): Promise<number> {
  const claim = await inTransaction(deps.database, (tx) => claimDeliveries(tx, endpointId));
  if (!claim) return 0;
  const secrets = claim.secrets.map((cipher) => deps.unseal(cipher));
  let done: SettledDelivery[] = [];
  let open = claim.deliveries.length;
  const settle = async (): Promise<void> => {
    const batch = done;
    done = [];
    if (batch.length === 0) return;
    try {
      await inTransaction(deps.database, (tx) =>
        settleDeliveries(tx, claim, batch, deps.retrySchedule),
      );
    } catch (error) {
      // What was sent must not be forgotten for one commit that failed: it goes with the next.
      done.push(...batch);
      throw error;
    }
  };
  let storing = Promise.resolve();
  const ticker = setInterval(() => {
    storing = storing.then(settle).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'what came of deliveries could not be stored yet');
    });
  }, settleEveryMs);
  try {
    await Promise.all(
      claim.deliveries.map(async (delivery) => {
        const result = await post(deps, claim, delivery, secrets);
        done.push({ delivery, result });
        open -= 1;
      }),
    );
  } finally {
    clearInterval(ticker);
  }
  await storing;
  await settle().catch(settle);
  if (open > 0) throw new Error(`${open} deliveries were not settled.`);
  return claim.deliveries.length;
}

async function post(
  deps: DeliverDeps,
  claim: Claim,
  delivery: ClaimedDelivery,
  secrets: string[],
): Promise<DialResult> {
  const message = composeMessage(claim, { ...delivery, secrets });
  return deps.dialer.post({ url: claim.url, ...message, deadlineMs: deliveryDeadlineMs });
}
