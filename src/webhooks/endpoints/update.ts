import type { Origin } from '../../contracts/origin.ts';
import { invalid } from '../../contracts/problems.ts';
import type { WebhookPatch } from '../../contracts/wire/webhooks.ts';
import type { Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { changeRow } from './change-row.ts';
import type { EndpointDeps } from './create.ts';
import { checkUrl, headerFaults, typeFaults } from './faults.ts';
import { reread } from './read.ts';

/**
 * Changes fields of an endpoint; deliveries that wait go to the new address. A patch that changes
 * nothing records nothing.
 * @throws Problem 422 with every fault of the body
 */
export async function updateEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  origin: Origin,
  endpoint: WebhookEndpoint,
  patch: WebhookPatch,
): Promise<WebhookEndpoint> {
  const headers = mergeHeaders(endpoint.headers, patch.headers);
  const wanted = {
    url: patch.url ?? endpoint.url,
    event_types: patch.event_types ?? endpoint.eventTypes,
    description: patch.description === undefined ? endpoint.description : patch.description,
    headers,
    payload: patch.payload ?? endpoint.payload,
    max_in_flight: patch.max_in_flight ?? endpoint.maxInFlight,
  };
  const present = {
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    headers: endpoint.headers,
    payload: endpoint.payload,
    max_in_flight: endpoint.maxInFlight,
  };
  const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (name) => JSON.stringify(wanted[name]) !== JSON.stringify(present[name]),
  );
  const faults = [
    ...(changed.includes('event_types') ? typeFaults(wanted.event_types) : []),
    ...(changed.includes('headers') ? headerFaults(headers) : []),
  ];
  if (changed.includes('url')) await checkUrl(deps.dialer, wanted.url, faults);
  else if (faults.length > 0) throw invalid(faults);
  if (changed.length === 0) return endpoint;
  await changeRow(
    tx,
    endpoint,
    `UPDATE webhook_endpoint SET url = $4, event_types = $5, description = $6, headers = $7, payload = $8,
       max_in_flight = $9, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id`,
    [
      wanted.url,
      wanted.event_types,
      wanted.description,
      JSON.stringify(headers),
      wanted.payload,
      wanted.max_in_flight,
    ],
  );
  await record(tx, origin, {
    type: 'webhooks.endpoint.updated',
    resourceId: endpoint.id,
    data: { changed },
  });
  return reread(tx, endpoint.projectId, endpoint.id);
}

function mergeHeaders(
  present: Record<string, string>,
  patch: Record<string, string | null> | null | undefined,
): Record<string, string> {
  if (patch === undefined) return present;
  if (patch === null) return {};
  const merged: Record<string, string | null> = { ...present, ...patch };
  return Object.fromEntries(
    Object.entries(merged).filter((header): header is [string, string] => header[1] !== null),
  );
}
