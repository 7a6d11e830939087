import type { Origin } from '../../contracts/origin.ts';
import type { WebhookRecord, WebhookSecretRotation } from '../../contracts/wire/webhooks.ts';
import type { Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { changeRow } from './change-row.ts';
import { refuse, secretFaults } from './faults.ts';
import { showChanged } from './health.ts';
import { databaseNow, makeSecrets, rotateSecrets, type Sealing } from './secrets.ts';

/**
 * Gives an endpoint new secrets, one for each kind of signature it gets. Those it had sign beside
 * them until the overlap is over; with none they end at once.
 * @returns it and its new HMAC secret, which is not shown again; null where it signs without one
 * @throws Problem 422 for a secret that cannot be signed with
 */
export async function rotateSecret(
  tx: Tx,
  sealing: Sealing,
  origin: Origin,
  endpoint: WebhookEndpoint,
  given: WebhookSecretRotation,
): Promise<WebhookRecord & { secret: string | null }> {
  refuse(secretFaults(given.secret, endpoint.signing));
  const { secrets, shown } = makeSecrets(sealing, endpoint.id, endpoint.signing, given.secret);
  const rotated = rotateSecrets(endpoint.secrets, secrets, {
    now: await databaseNow(tx),
    overlapSeconds: given.overlap_seconds,
  });
  const changed = changeRow(
    tx,
    endpoint,
    `UPDATE webhook_endpoint SET secrets = $4, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id`,
    [JSON.stringify(rotated)],
  );
  await record(tx, origin, {
    type: 'webhooks.endpoint.secret_rotated',
    resourceId: endpoint.id,
    data: { overlap_seconds: given.overlap_seconds },
  });
  const [webhook] = await Promise.all([showChanged(tx, endpoint), changed]);
  return { ...webhook, secret: shown };
}
