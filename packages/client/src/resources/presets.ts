import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** Named lists of operations for starting jobs. */
export class Presets extends Resource {
  list(query: Query<'listPresets'> = {}, options?: RequestOptions) {
    return this.listing('listPresets', { query }, options);
  }
  create(body: Body<'createPreset'>, options?: RequestOptions) {
    return this.transport.call('createPreset', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getPreset', { params: { id } }, options);
  }
  update(id: string, body: Body<'updatePreset'>, options?: RequestOptions) {
    return this.transport.call('updatePreset', { params: { id }, body }, options);
  }
  delete(id: string, options?: RequestOptions) {
    return this.transport.call('deletePreset', { params: { id } }, options);
  }
}
