import type { RequestOptions, Transport } from '../transport.ts';
import type { Guarded } from './policies.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** Webhooks: addresses that events are pushed to. */
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
  /** The answer has the secret; later ones do not. */
  create(body: Body<'createWebhook'>, options?: RequestOptions) {
    return this.transport.call('createWebhook', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getWebhook', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateWebhook'>, options: Guarded) {
    return this.transport.call('updateWebhook', { params: { id }, body }, options);
  }
  delete(id: string, options: Guarded) {
    return this.transport.call('deleteWebhook', { params: { id } }, options);
  }
  /** A new secret; the old one signs too, for as long as it is told to. */
  rotateSecret(id: string, body: Body<'rotateWebhookSecret'> = {}, options?: RequestOptions) {
    return this.transport.call('rotateWebhookSecret', { params: { id }, body }, options);
  }
  /** Sends a signed example, once, and tells what came back. */
  test(id: string, options?: RequestOptions) {
    return this.transport.call('testWebhook', { params: { id } }, options);
  }
  /** Keeps what it is owed until it is enabled again. */
  pause(id: string, options?: RequestOptions) {
    return this.transport.call('pauseWebhook', { params: { id } }, options);
  }
  enable(id: string, options?: RequestOptions) {
    return this.transport.call('enableWebhook', { params: { id } }, options);
  }
  /** Skips what it is owed; a replay sends it later. */
  disable(id: string, options?: RequestOptions) {
    return this.transport.call('disableWebhook', { params: { id } }, options);
  }
}

/** What a webhook is owed, and what came of it. */
export class Deliveries extends Resource {
  /** To which webhooks an event was and is owed. */
  ofEvent(query: Query<'listEventDeliveries'>, options?: RequestOptions) {
    return this.listing('listEventDeliveries', { query }, options);
  }
  list(id: string, query: Query<'listDeliveries'> = {}, options?: RequestOptions) {
    return this.listing('listDeliveries', { params: { id }, query }, options);
  }
  /** With its attempts. */
  get(id: string, deliveryId: string, options?: RequestOptions) {
    const params = { id, delivery_id: deliveryId };
    return this.transport.call('getDelivery', { params }, options);
  }
  /** One more attempt, at once. */
  redeliver(id: string, deliveryId: string, options?: RequestOptions) {
    const params = { id, delivery_id: deliveryId };
    return this.transport.call('redeliver', { params }, options);
  }
  /** Gives up what waits. */
  cancel(id: string, body: Body<'cancelDeliveries'> = {}, options?: RequestOptions) {
    return this.transport.call('cancelDeliveries', { params: { id }, body }, options);
  }
}

/** Events of a range that are sent to a webhook again. */
export class Replays extends Resource {
  /** Starts one; with `dry_run` only counts. */
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
