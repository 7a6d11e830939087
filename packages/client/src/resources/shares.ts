import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** Links for people without a key: to an object or a collection, or for uploads. */
export class Shares extends Resource {
  list(query: Query<'listShares'> = {}, options?: RequestOptions) {
    return this.listing('listShares', { query }, options);
  }
  create(body: Body<'createShare'>, options?: RequestOptions) {
    return this.transport.call('createShare', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getShare', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateShare'>, options?: RequestOptions) {
    return this.transport.call('updateShare', { params: { id }, body }, options);
  }
  revoke(id: string, options?: RequestOptions) {
    return this.transport.call('revokeShare', { params: { id } }, options);
  }
}
