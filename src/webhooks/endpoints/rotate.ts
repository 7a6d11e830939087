import type { Origin } from '@scriptorium/contracts/origin';
import type { WebhookRecord, WebhookSecretRotation } from '@scriptorium/contracts/wire/webhooks';
import type { Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { changeEndpoint } from './change.ts';
import { rejectFaults, secretFaults } from './faults.ts';
import { readChangedEndpoint } from './health.ts';
import { makeSecrets, readDatabaseTime, rotateSecrets, type Sealing } from './secrets.ts';

/**
 * Gives an endpoint new secrets, one for each kind of signature it uses. Its former secrets also sign
 * until the overlap ends; without an overlap they stop immediately.
 * @returns the endpoint and its new HMAC secret, which is not shown again; null without one
 * @throws Problem 422 for an invalid secret
 */
export async function rotateSecret(
  tx: Tx,
  sealing: Sealing,
  origin: Origin,
  endpoint: WebhookEndpoint,
  input: WebhookSecretRotation,
): Promise<WebhookRecord & { secret: string | null }> {
  rejectFaults(secretFaults(input.secret, endpoint.signing));
  const { secrets, shown } = makeSecrets(sealing, endpoint.id, endpoint.signing, input.secret);
  const rotated = rotateSecrets(endpoint.secrets, secrets, {
    now: await readDatabaseTime(tx),
    overlapSeconds: input.overlap_seconds,
  });
  changeEndpoint(tx, endpoint, { secrets: rotated });
  await record(tx, origin, {
    type: 'webhooks.endpoint.secret_rotated',
    resourceId: endpoint.id,
    data: { overlap_seconds: input.overlap_seconds },
  });
  return { ...(await readChangedEndpoint(tx, endpoint)), secret: shown };
}
