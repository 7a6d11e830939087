import type { DialResult } from '../../dialing/dial.ts';
import { openSecrets } from '../../endpoints/secrets.ts';
import { openHeaders } from '../../headers.ts';
import { composeMessage } from '../../message.ts';
import type { SigningKey } from '../../sign.ts';
import type { ClaimedDelivery, ClaimedEndpoint } from './claim.ts';
import type { DeliverDeps } from './deps.ts';

/** The deadline of the whole exchange with a receiver, including the body. */
export const deliveryDeadlineMs = 15_000;

/** The sealed values of an endpoint, opened once for all deliveries of a claim. */
const opened = new WeakMap<
  ClaimedEndpoint,
  { headers: Record<string, string>; secrets: SigningKey[] }
>();

/** Signs a delivery and posts it. */
export async function post(
  deps: Pick<DeliverDeps, 'dialer' | 'unseal'>,
  delivery: ClaimedDelivery,
): Promise<DialResult> {
  const { endpoint } = delivery;
  let own = opened.get(endpoint);
  if (!own) {
    own = {
      headers: openHeaders(deps.unseal, endpoint.id, endpoint.headers),
      secrets: openSecrets(deps.unseal, endpoint.id, endpoint.secrets),
    };
    opened.set(endpoint, own);
  }
  const message = composeMessage(
    { payload: endpoint.payload, headers: own.headers },
    { ...delivery, secrets: own.secrets },
  );
  return deps.dialer.post({
    url: endpoint.url,
    ...message,
    sender: endpoint.id,
    deadlineMs: deliveryDeadlineMs,
  });
}
