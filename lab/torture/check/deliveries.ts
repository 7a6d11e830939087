import { createHmac } from 'node:crypto';
import type { ReceivedRequest } from '../../../test/support/receiver.ts';
import { deliveryFaults } from '../../../test/support/recovery.ts';
import type { Entry, KnownEndpoint } from '../ledger.ts';
import { findForeignText } from '../projects.ts';
import { isOnTime } from '../receive.ts';
import type { Check } from './check-input.ts';

interface Row {
  id: string;
  type: string;
  category: string;
  project_id: string;
  request_id: string | null;
  body: string;
}

/**
 * Every event reached every endpoint that had subscribed when its request was sent, with a valid
 * signature, was accepted there and is recorded as such, and endpoints received nothing else.
 */
export const checkDeliveries: Check = async ({ world, ledger }) => {
  const faults: string[] = [];
  const requestOf = ({ request_id: id }: Row) => (id === null ? undefined : ledger.entryOf(id));
  const rows = await world.rows<Row>(
    'SELECT id, type, category, project_id, request_id, body FROM event ORDER BY ordinal',
  );
  const events = new Map(rows.map((row) => [row.id, row]));
  const byPath = new Map<string, ReceivedRequest[]>();
  for (const request of world.receiver.requests) {
    const requests = byPath.get(request.path);
    if (requests) requests.push(request);
    else byPath.set(request.path, [request]);
  }
  const deliveries = await world.rows<{ event_id: string; endpoint_id: string }>(
    `SELECT event_id, endpoint_id FROM delivery WHERE state = 'succeeded'`,
  );
  const succeeded = new Set(deliveries.map((row) => `${row.endpoint_id} ${row.event_id}`));
  for (const endpoint of ledger.endpoints.values()) {
    const accepted = new Set<string>();
    const project = world.projects.find(({ id }) => id === endpoint.project);
    for (const received of byPath.get(endpoint.path) ?? []) {
      const id = received.headers['webhook-id'] ?? '';
      const event = events.get(id);
      if (!event) faults.push(`${endpoint.id} received ${id}, which is not recorded`);
      else if (event.project_id !== endpoint.project)
        faults.push(`${endpoint.id} received ${id} of another project`);
      else if (event.body !== received.body.toString('utf8'))
        faults.push(`${endpoint.id} received ${id} with another body than is stored`);
      else if (!matches(endpoint.types, event))
        faults.push(`${endpoint.id} received ${id} ${event.type}, which it did not subscribe to`);
      const foreignText = project && findForeignText(received.body.toString('latin1'), project);
      if (foreignText) faults.push(`${endpoint.id} received ${id}, which shows ${foreignText}`);
      const untimelyReason = event && findUntimelyReason(endpoint, received, requestOf(event));
      if (untimelyReason) faults.push(`${endpoint.id} received ${id}, requested ${untimelyReason}`);
      if (!isSigned(endpoint, received))
        faults.push(`${endpoint.id} received ${id} without a valid signature`);
      else if (isOnTime(received) && isAccepted(received)) accepted.add(id);
    }
    for (const event of rows) {
      if (event.project_id !== endpoint.project || !matches(endpoint.types, event)) continue;
      const entry = requestOf(event);
      const isExpected =
        entry && entry.sentAt > endpoint.createdAt && endpoint.deletionRequestedAt === null;
      if (!isExpected) continue;
      const what = `${event.id} ${event.type} of ${event.request_id}`;
      if (!accepted.has(event.id)) faults.push(`${endpoint.id} did not receive ${what}`);
      else if (!succeeded.has(`${endpoint.id} ${event.id}`))
        faults.push(`${endpoint.id} accepted ${what}, and no delivery succeeded`);
    }
  }
  for (const project of world.projects) {
    const wrong = await world.rows<{ fault: string; id: string }>(deliveryFaults, [project.id]);
    for (const { fault, id } of wrong) faults.push(`${id}: ${fault}`);
  }
  return faults;
};

const isAccepted = ({ status }: ReceivedRequest) =>
  status !== null && status >= 200 && status < 300;

/** Why a requested event must no longer arrive; null if it may. */
function findUntimelyReason(
  { pauses, deletedAt: goneAt }: KnownEndpoint,
  { at }: ReceivedRequest,
  entry: Entry | undefined,
): string | null {
  if (!entry) return null;
  const { sentAt } = entry;
  if (goneAt !== null && sentAt > goneAt) return 'after it was deleted';
  const isPaused = pauses.some(
    ({ from, to }) => sentAt > from && at < (to ?? Number.POSITIVE_INFINITY),
  );
  return isPaused ? 'while it is paused' : null;
}

function matches(types: readonly string[], { type, category }: Row): boolean {
  if (category !== 'domain') return false;
  return types.some(
    (pattern) =>
      pattern === '*' || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}

/**
 * A sender may have read a secret before it was replaced, and been suspended for longer than a
 * lease.
 */
const signedWithinMs = 120_000;

function isSigned({ secrets }: KnownEndpoint, { headers, body, at }: ReceivedRequest): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const given = (headers['webhook-signature'] ?? '').split(' ');
  const valid = secrets.filter(
    ({ replacedAt }) => replacedAt === null || at < replacedAt + signedWithinMs,
  );
  return valid.some(({ secret }) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return given.includes(
      `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`,
    );
  });
}
