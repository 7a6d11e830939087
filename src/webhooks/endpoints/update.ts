import { isDeepStrictEqual } from 'node:util';
import type { OpenSealed } from '@scriptorium/contracts/documents/sealed';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Fault } from '@scriptorium/contracts/problems';
import type { WebhookPatch, WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import type { Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { liveSecrets, mergeHeaders, sealHeaders } from '../message.ts';
import { changeEndpoint } from './change.ts';
import { headerFaults, rejectFaults, typeFaults } from './faults.ts';
import { filterFaults, mergeFilter } from './filter.ts';
import { describeEndpoint, showChanged } from './health.ts';
import { databaseNow, fitSecrets, type Sealing, sortKinds } from './secrets.ts';

/**
 * Changes fields of an endpoint; waiting deliveries go to the new URL. Headers are dropped when the
 * origin changes, unless the patch gives them. A patch that changes nothing records nothing.
 * @param urlFaults the result of `urlFaults` for a new URL
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
  // Headers are often credentials of the former receiver, which the caller cannot read.
  const kept = hasSameOrigin(endpoint.url, patch.url ?? endpoint.url) ? endpoint.headers : {};
  const wanted = {
    ...present,
    ...patch,
    headers: mergeHeaders(sealing.seal.open, endpoint.id, kept, patch.headers),
    filter: mergeFilter(endpoint.filter, patch.filter),
    signing: sortKinds(patch.signing ?? endpoint.signing),
  };
  const changed = (Object.keys(present) as (keyof typeof present)[]).filter(
    (name) => !isDeepStrictEqual(wanted[name], present[name]),
  );
  rejectFaults([
    ...urlFaults,
    ...(changed.includes('event_types') ? typeFaults(wanted.event_types) : []),
    ...(changed.includes('filter') ? filterFaults(wanted.filter) : []),
    ...(changed.includes('headers') ? headerFaults(wanted.headers) : []),
  ]);
  if (changed.length === 0) return describeEndpoint(tx, endpoint);
  const secrets = liveSecrets(endpoint.secrets, await databaseNow(tx));
  changeEndpoint(tx, endpoint, {
    url: wanted.url,
    eventTypes: wanted.event_types,
    description: wanted.description,
    headers: sealHeaders(sealing, endpoint.id, wanted.headers),
    payload: wanted.payload,
    filter: wanted.filter,
    maxPerSecond: wanted.max_per_second,
    maxInFlight: wanted.max_in_flight,
    signing: wanted.signing,
    secrets: fitSecrets(sealing, endpoint.id, secrets, wanted.signing),
  });
  await record(tx, origin, {
    type: 'webhooks.endpoint.updated',
    resourceId: endpoint.id,
    data: { changed },
  });
  return showChanged(tx, endpoint);
}

/** Whether two URLs have the same scheme, host and port. An invalid URL never matches. */
function hasSameOrigin(one: string, other: string): boolean {
  if (one === other) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
