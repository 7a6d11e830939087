import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** API keys of the project. */
export class Keys extends Resource {
  list(query: Query<'listKeys'> = {}, options?: RequestOptions) {
    return this.listing('listKeys', { query }, options);
  }
  /** Creates a key. Only this response has the secret. */
  create(body: Body<'createKey'>, options?: RequestOptions) {
    return this.transport.call('createKey', { body }, options);
  }
  /** The key of this client. */
  self(options?: RequestOptions) {
    return this.transport.call('getOwnKey', {}, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getKey', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateKey'>, options?: RequestOptions) {
    return this.transport.call('updateKey', { params: { id }, body }, options);
  }
  revoke(id: string, options?: RequestOptions) {
    return this.transport.call('revokeKey', { params: { id } }, options);
  }
  /** Replaces a key. The old one keeps working for `overlap_seconds`. */
  roll(id: string, body: Body<'rollKey'> = {}, options?: RequestOptions) {
    return this.transport.call('rollKey', { params: { id }, body }, options);
  }
}
