import { Problem } from '../../contracts/problems.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';

/**
 * Changes the row that was read. Who read it by `lockToChange` finds it as it was; for anybody else
 * the version guards against whoever changed it since. It need not be waited for before what follows
 * from it is sent, but has to be before the transaction ends.
 * @throws Problem 412
 */
export async function changeRow(
  tx: Tx,
  endpoint: WebhookEndpoint,
  statement: string,
  values: unknown[],
): Promise<void> {
  const rows = await prepared<{ id: string }>(tx, statement, [
    endpoint.projectId,
    endpoint.id,
    endpoint.version,
    ...values,
  ]);
  if (rows.length === 0) {
    throw new Problem('etag_mismatch', 'The webhook has changed meanwhile; read it again.');
  }
}
