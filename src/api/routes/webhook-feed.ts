import type { Identity } from '../../access/authenticate.ts';
import { scopesToRead } from '../../contracts/patterns.ts';
import { grants } from '../../contracts/scopes.ts';
import type { WebhookPatch } from '../../contracts/wire/webhooks.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { requireAlso } from '../frame/admit.ts';

/** What a change of these says about which events go where. */
const steering = ['url', 'event_types', 'filter', 'payload'] as const;

/**
 * Whoever directs events to an address can read them there, so directing them needs the scopes of
 * reading them.
 * @throws Problem 403 `insufficient_scope`
 */
export function requireFeed(key: Identity, patterns: readonly string[]): void {
  requireAlso(key, 'sending these events', scopesToRead(patterns));
}

/**
 * The same for a change of a webhook, by what it was sent before as well: what is still pending goes
 * to the new address.
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

/** Whether a key may read what a receiver answered, which may be the event itself. */
export function mayReadExcerpts(key: Identity, eventType: string): boolean {
  return scopesToRead([eventType]).every((scope) => grants(key.scopes, scope));
}
