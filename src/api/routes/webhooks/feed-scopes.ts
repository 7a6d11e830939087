import { scopesToRead } from '@scriptorium/contracts/events/patterns';
import { grants } from '@scriptorium/contracts/scopes';
import type { WebhookPatch } from '@scriptorium/contracts/wire/webhooks';
import type { Identity } from '../../../access/authenticate.ts';
import type { WebhookEndpoint } from '../../../entities/webhooks/webhook-endpoint.ts';
import { requireAlso } from '../../frame/admit.ts';

/** The fields that determine which events are sent to which URL. */
const steering = ['url', 'event_types', 'filter', 'payload'] as const;

/**
 * Requires the scopes to read events of these types, since a webhook lets its owner read them.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireFeed(key: Identity, patterns: readonly string[]): void {
  requireAlso(key, 'sending these events', scopesToRead(patterns));
}

/**
 * The same for a change of a webhook. Its previous types count too, since pending deliveries go to
 * the new URL.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireFeedToChange(
  key: Identity,
  endpoint: WebhookEndpoint,
  patch: WebhookPatch,
): void {
  if (steering.every((field) => patch[field] === undefined)) return;
  requireFeed(key, [...endpoint.eventTypes, ...(patch.event_types ?? [])]);
}

/** Whether a key may read messages, and the responses of a receiver, which may contain them. */
export function mayReadMessages(key: Identity, eventType: string): boolean {
  return scopesToRead([eventType]).every((scope) => grants(key.scopes, scope));
}
