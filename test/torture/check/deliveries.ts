import { createHmac } from 'node:crypto';
import type { Received } from '../../support/receiver.ts';
import { deliveryFaults } from '../../support/recovery.ts';
import type { KnownEndpoint } from '../ledger.ts';
import { isOnTime } from '../receive.ts';
import type { Check } from './case.ts';

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
 * signature, and no endpoint got anything else.
 */
export const checkDeliveries: Check = async ({ world, ledger }) => {
  const faults: string[] = [];
  const rows = await world.rows<Row>(
    'SELECT id, type, category, project_id, request_id, body FROM event ORDER BY ordinal',
  );
  const events = new Map(rows.map((row) => [row.id, row]));
  const byPath = new Map<string, Received[]>();
  for (const request of world.receiver.requests) {
    byPath.set(request.path, [...(byPath.get(request.path) ?? []), request]);
  }
  for (const endpoint of ledger.endpoints.values()) {
    const valid = new Set<string>();
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
      if (!isSigned(endpoint, received))
        faults.push(`${endpoint.id} received ${id} without a valid signature`);
      else if (isOnTime(received)) valid.add(id);
    }
    for (const event of rows) {
      if (event.project_id !== endpoint.project || !matches(endpoint.types, event)) continue;
      const entry = event.request_id === null ? undefined : ledger.of(event.request_id);
      const isOwed = entry && entry.sentAt > endpoint.createdAt && endpoint.endedAt === null;
      if (isOwed && !valid.has(event.id))
        faults.push(
          `${endpoint.id} did not receive ${event.id} ${event.type} of ${event.request_id}`,
        );
    }
  }
  for (const project of world.projects) {
    const wrong = await world.rows<{ fault: string; id: string }>(deliveryFaults, [project.id]);
    for (const { fault, id } of wrong) faults.push(`${id}: ${fault}`);
  }
  return faults;
};

function matches(types: readonly string[], { type, category }: Row): boolean {
  if (category !== 'domain') return false;
  return types.some(
    (pattern) =>
      pattern === '*' || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}

function isSigned({ secrets }: KnownEndpoint, { headers, body }: Received): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const given = (headers['webhook-signature'] ?? '').split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return given.includes(
      `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`,
    );
  });
}
