import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../../contracts/origin.ts';
import type { Fault } from '../../contracts/problems.ts';
import type { OpenSealed } from '../../contracts/sealed.ts';
import type { WebhookPatch, WebhookRecord } from '../../contracts/wire/webhooks.ts';
import type { Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { mergeHeaders, sealHeaders } from '../headers.ts';
import { changeRow } from './change-row.ts';
import { headerFaults, refuse, typeFaults } from './faults.ts';
import { filterFaults, mergeFilter } from './filter.ts';
import { describeEndpoint, showChanged } from './health.ts';
import { databaseNow, fitSecrets, inOrder, liveSecrets, type Sealing } from './secrets.ts';

/**
 * Changes fields of an endpoint; deliveries that wait go to the new address. Headers do not go to
 * another origin, unless the patch gives them. A patch that changes nothing records nothing.
 * @param urlFaults what `urlFaults` has found out about a new URL
 * @throws Problem 422 with every fault of the body
 */
export async function updateEndpoint(
  tx: Tx,
  sealing: Sealing & { seal: { open: OpenSealed } },
  origin: Origin,
  endpoint: WebhookEndpoint,
  patch: WebhookPatch,
  urlFaults: readonly Fault[],
): Promise<WebhookRecord> {
  const present = {
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    headers: endpoint.headers,
    payload: endpoint.payload,
    filter: endpoint.filter,
    max_per_second: endpoint.maxPerSecond,
    max_in_flight: endpoint.maxInFlight,
    signing: endpoint.signing,
  };
  // They are credentials of the receiver there was, and whoever changes the URL has not seen them.
  const kept = hasSameOrigin(endpoint.url, patch.url ?? endpoint.url) ? endpoint.headers : {};
  const wanted = {
    ...present,
    ...patch,
    headers: mergeHeaders(sealing.seal.open, endpoint.id, kept, patch.headers),
    filter: mergeFilter(endpoint.filter, patch.filter),
    signing: inOrder(patch.signing ?? endpoint.signing),
  };
  const changed = (Object.keys(present) as (keyof typeof present)[]).filter(
    (name) => !isDeepStrictEqual(wanted[name], present[name]),
  );
  refuse([
    ...urlFaults,
    ...(changed.includes('event_types') ? typeFaults(wanted.event_types) : []),
    ...(changed.includes('filter') ? filterFaults(wanted.filter) : []),
    ...(changed.includes('headers') ? headerFaults(wanted.headers) : []),
  ]);
  if (changed.length === 0) return describeEndpoint(tx, endpoint);
  const secrets = liveSecrets(endpoint.secrets, await databaseNow(tx));
  const written = changeRow(
    tx,
    endpoint,
    `UPDATE webhook_endpoint SET url = $4, event_types = $5, description = $6, headers = $7, payload = $8,
       filter = $9, max_per_second = $10, max_in_flight = $11, signing = $12, secrets = $13,
       updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id`,
    [
      wanted.url,
      wanted.event_types,
      wanted.description,
      JSON.stringify(sealHeaders(sealing, endpoint.id, wanted.headers)),
      wanted.payload,
      wanted.filter === null ? null : JSON.stringify(wanted.filter),
      wanted.max_per_second,
      wanted.max_in_flight,
      wanted.signing,
      JSON.stringify(fitSecrets(sealing, endpoint.id, secrets, wanted.signing)),
    ],
  );
  await record(tx, origin, {
    type: 'webhooks.endpoint.updated',
    resourceId: endpoint.id,
    data: { changed },
  });
  const [shown] = await Promise.all([showChanged(tx, endpoint), written]);
  return shown;
}

/** Whether two URLs share scheme, host and port; one that is no URL shares them with none. */
function hasSameOrigin(one: string, other: string): boolean {
  if (one === other) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
