import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** Named readers of events with a stored position. */
export class Consumers extends Resource {
  list(query: Query<'listConsumers'> = {}, options?: RequestOptions) {
    return this.listing('listConsumers', { query }, options);
  }
  create(body: Body<'createConsumer'>, options?: RequestOptions) {
    return this.transport.call('createConsumer', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getConsumer', { params: { id } }, options);
  }
  delete(id: string, options?: RequestOptions) {
    return this.transport.call('deleteConsumer', { params: { id } }, options);
  }
  /** Reads the events after the position. Process them, then commit `commit_sequence`. */
  events(id: string, query: Query<'readConsumerEvents'> = {}, options?: RequestOptions) {
    return this.transport.call('readConsumerEvents', { params: { id }, query }, options);
  }
  commit(id: string, body: Body<'commitConsumer'>, options?: RequestOptions) {
    return this.transport.call('commitConsumer', { params: { id }, body }, options);
  }
  /** Moves the position backwards or forwards. */
  seek(id: string, body: Body<'seekConsumer'>, options?: RequestOptions) {
    return this.transport.call('seekConsumer', { params: { id }, body }, options);
  }
}
