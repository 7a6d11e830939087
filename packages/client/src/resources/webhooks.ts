import type { RequestOptions, Transport } from '../transport.ts';
import type { VersionedOptions } from './policies.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** Webhooks. */
export class Webhooks extends Resource {
  readonly deliveries: Deliveries;
  readonly replays: Replays;

  constructor(transport: Transport) {
    super(transport);
    this.deliveries = new Deliveries(transport);
    this.replays = new Replays(transport);
  }

  list(query: Query<'listWebhooks'> = {}, options?: RequestOptions) {
    return this.listing('listWebhooks', { query }, options);
  }
  /** Creates a webhook. Only this response has the secret. */
  create(body: Body<'createWebhook'>, options?: RequestOptions) {
    return this.transport.call('createWebhook', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getWebhook', { params: { id } }, options);
  }
  /** Success rate and response times over the last 24 hours, 7 or 30 days. */
  stats(id: string, query: Query<'getWebhookStats'> = {}, options?: RequestOptions) {
    return this.transport.call('getWebhookStats', { params: { id }, query }, options);
  }
  update(id: string, body: Body<'updateWebhook'>, options: VersionedOptions) {
    return this.transport.call('updateWebhook', { params: { id }, body }, options);
  }
  delete(id: string, options: VersionedOptions) {
    return this.transport.call('deleteWebhook', { params: { id } }, options);
  }
  /** Rotates the secret. The old one also signs for `overlap_seconds`. */
  rotateSecret(id: string, body: Body<'rotateWebhookSecret'> = {}, options?: RequestOptions) {
    return this.transport.call('rotateWebhookSecret', { params: { id }, body }, options);
  }
  /** Sends a signed example of an event; returns the message and the outcome. */
  test(id: string, query: Query<'testWebhook'> = {}, options?: RequestOptions) {
    return this.transport.call('testWebhook', { params: { id }, query }, options);
  }
  /** Pauses a webhook. Its deliveries wait. */
  pause(id: string, options?: RequestOptions) {
    return this.transport.call('pauseWebhook', { params: { id } }, options);
  }
  enable(id: string, options?: RequestOptions) {
    return this.transport.call('enableWebhook', { params: { id } }, options);
  }
  /** Disables a webhook. Its deliveries are skipped; a replay can send them later. */
  disable(id: string, options?: RequestOptions) {
    return this.transport.call('disableWebhook', { params: { id } }, options);
  }
}

/** Deliveries of webhooks. */
export class Deliveries extends Resource {
  /** Lists the deliveries of an event. */
  ofEvent(query: Query<'listEventDeliveries'>, options?: RequestOptions) {
    return this.listing('listEventDeliveries', { query }, options);
  }
  list(id: string, query: Query<'listDeliveries'> = {}, options?: RequestOptions) {
    return this.listing('listDeliveries', { params: { id }, query }, options);
  }
  /** Gets a delivery with its attempts. */
  get(id: string, deliveryId: string, options?: RequestOptions) {
    const params = { id, delivery_id: deliveryId };
    return this.transport.call('getDelivery', { params }, options);
  }
  /** Retries a delivery immediately. */
  redeliver(id: string, deliveryId: string, options?: RequestOptions) {
    const params = { id, delivery_id: deliveryId };
    return this.transport.call('redeliver', { params }, options);
  }
  /** Cancels pending deliveries. */
  cancel(id: string, body: Body<'cancelDeliveries'> = {}, options?: RequestOptions) {
    return this.transport.call('cancelDeliveries', { params: { id }, body }, options);
  }
  /** Retries deferred deliveries now, such as after the receiver was repaired. */
  retry(id: string, options?: RequestOptions) {
    return this.transport.call('retryDeliveries', { params: { id } }, options);
  }
}

/** Replays of events to a webhook. */
export class Replays extends Resource {
  /** Starts a replay; `dry_run` only counts the events. */
  create(id: string, body: Body<'replayWebhook'>, options?: RequestOptions) {
    return this.transport.call('replayWebhook', { params: { id }, body }, options);
  }
  list(id: string, query: Query<'listReplays'> = {}, options?: RequestOptions) {
    return this.listing('listReplays', { params: { id }, query }, options);
  }
  get(id: string, replayId: string, options?: RequestOptions) {
    return this.transport.call('getReplay', { params: { id, replay_id: replayId } }, options);
  }
  cancel(id: string, replayId: string, options?: RequestOptions) {
    return this.transport.call('cancelReplay', { params: { id, replay_id: replayId } }, options);
  }
}
