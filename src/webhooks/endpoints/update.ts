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
import { describeEndpoint, readChangedEndpoint } from './health.ts';
import { readDatabaseTime, type Sealing, secretsForKinds, sortKinds } from './secrets.ts';

/**
 * Changes fields of an endpoint. Waiting deliveries are sent to the new URL. Headers are removed if the
 * origin changes, unless the patch contains them. A patch that changes nothing records no event.
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
  const current = {
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
  const keptHeaders = hasSameOrigin(endpoint.url, patch.url ?? endpoint.url)
    ? endpoint.headers
    : {};
  const updated = {
    ...current,
    ...patch,
    headers: mergeHeaders(sealing.seal.open, endpoint.id, keptHeaders, patch.headers),
    filter: mergeFilter(endpoint.filter, patch.filter),
    signing: sortKinds(patch.signing ?? endpoint.signing),
  };
  const changed = (Object.keys(current) as (keyof typeof current)[]).filter(
    (name) => !isDeepStrictEqual(updated[name], current[name]),
  );
  rejectFaults([
    ...urlFaults,
    ...(changed.includes('event_types') ? typeFaults(updated.event_types) : []),
    ...(changed.includes('filter') ? filterFaults(updated.filter) : []),
    ...(changed.includes('headers') ? headerFaults(updated.headers) : []),
  ]);
  if (changed.length === 0) return describeEndpoint(tx, endpoint);
  const secrets = liveSecrets(endpoint.secrets, await readDatabaseTime(tx));
  changeEndpoint(tx, endpoint, {
    url: updated.url,
    eventTypes: updated.event_types,
    description: updated.description,
    headers: sealHeaders(sealing, endpoint.id, updated.headers),
    payload: updated.payload,
    filter: updated.filter,
    maxPerSecond: updated.max_per_second,
    maxInFlight: updated.max_in_flight,
    signing: updated.signing,
    secrets: secretsForKinds(sealing, endpoint.id, secrets, updated.signing),
  });
  await record(tx, origin, {
    type: 'webhooks.endpoint.updated',
    resourceId: endpoint.id,
    data: { changed },
  });
  return readChangedEndpoint(tx, endpoint);
}

/** Whether two URLs have the same scheme, host and port. An invalid URL never matches. */
function hasSameOrigin(first: string, second: string): boolean {
  if (first === second) return true;
  return (
    URL.canParse(first) && URL.canParse(second) && new URL(first).origin === new URL(second).origin
  );
}
