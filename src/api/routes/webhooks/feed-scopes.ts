import { scopesToRead } from '@scriptorium/contracts/events/patterns';
import { grants } from '@scriptorium/contracts/scopes';
import type { WebhookPatch } from '@scriptorium/contracts/wire/webhooks';
import type { Identity } from '../../../access/authenticate.ts';
import type { WebhookEndpoint } from '../../../entities/webhooks/webhook-endpoint.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';

/** The fields that determine which events are sent to which URL. */
const feedFields = ['url', 'event_types', 'filter', 'payload'] as const;

/**
 * Requires the scopes for reading events of these types, because a webhook receives them.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireFeedScopes(key: Identity, patterns: readonly string[]): void {
  requireAdditionalScopes(key, 'sending these events', scopesToRead(patterns));
}

/**
 * The same for a change of a webhook. Its previous types count too, because pending deliveries are
 * sent to the new URL.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireFeedScopesToChange(
  key: Identity,
  endpoint: WebhookEndpoint,
  patch: WebhookPatch,
): void {
  if (feedFields.every((field) => patch[field] === undefined)) return;
  requireFeedScopes(key, [...endpoint.eventTypes, ...(patch.event_types ?? [])]);
}

/** Whether a key may read messages, and the responses of a receiver, which may contain them. */
export function mayReadMessages(key: Identity, eventType: string): boolean {
  return scopesToRead([eventType]).every((scope) => grants(key.scopes, scope));
}
