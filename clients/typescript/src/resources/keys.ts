import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** API keys of the project. */
export class Keys extends Resource {
  list(query: Query<'listKeys'> = {}, options?: RequestOptions) {
    return this.listing('listKeys', { query }, options);
  }
  /** The answer has the secret; later ones do not. */
  create(body: Body<'createKey'>, options?: RequestOptions) {
    return this.transport.call('createKey', { body }, options);
  }
  /** The key that this client uses. */
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
  /** A new secret in the place of the old one, which goes on for a while if it is told to. */
  roll(id: string, body: Body<'rollKey'> = {}, options?: RequestOptions) {
    return this.transport.call('rollKey', { params: { id }, body }, options);
  }
}
