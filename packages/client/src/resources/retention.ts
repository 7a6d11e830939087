import type { RequestOptions } from '../transport.ts';
import type { VersionedOptions } from './policies.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** Rules that delete objects after a time. */
export class Retention extends Resource {
  list(query: Query<'listRetentionRules'> = {}, options?: RequestOptions) {
    return this.listing('listRetentionRules', { query }, options);
  }
  create(body: Body<'createRetentionRule'>, options?: RequestOptions) {
    return this.transport.call('createRetentionRule', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getRetentionRule', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateRetentionRule'>, options: VersionedOptions) {
    return this.transport.call('updateRetentionRule', { params: { id }, body }, options);
  }
  delete(id: string, options: VersionedOptions) {
    return this.transport.call('deleteRetentionRule', { params: { id } }, options);
  }
  /** The objects that the rules delete now. */
  preview(query: Query<'previewRetention'> = {}, options?: RequestOptions) {
    return this.listing('previewRetention', { query }, options);
  }
}
