import type { OpenSealed } from '@scriptorium/contracts/documents/sealed';
import type { Database } from '../../src/db/database.ts';
import { createLogger } from '../../src/logger.ts';
import { noTracing } from '../../src/tracing.ts';
import { createWebhookSender } from '../../src/webhooks/delivery/sending/deliver.ts';
import type { Dialer } from '../../src/webhooks/dialing/dial.ts';

/** Sends what is due to an endpoint, as a worker would; resolves when all of it has been stored. */
export async function deliverTo(
  deps: {
    database: Database;
    dialer: Pick<Dialer, 'post'>;
    unseal?: OpenSealed;
    retrySchedule: readonly number[];
  },
  endpointId: string,
): Promise<number> {
  const courier = createWebhookSender({
    unseal: (sealed) => sealed,
    ...deps,
    observeAttempt: () => undefined,
    wake: () => undefined,
    logger: createLogger('silent', 'test'),
    tracing: noTracing,
  });
  const { begun } = await courier.serve(endpointId);
  await courier.idle();
  return begun;
}
