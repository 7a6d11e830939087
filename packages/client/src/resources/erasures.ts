import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** The removal of values, such as the name of a person, from a project. */
export class Erasures extends Resource {
  list(query: Query<'listErasures'> = {}, options?: RequestOptions) {
    return this.listing('listErasures', { query }, options);
  }
  /** Starts the search for the values. Nothing is erased before `confirm`. */
  create(body: Body<'createErasure'>, options?: RequestOptions) {
    return this.transport.call('createErasure', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getErasure', { params: { id } }, options);
  }
  /** The resources that contain a value. */
  resources(id: string, query: Query<'listErasureResources'> = {}, options?: RequestOptions) {
    return this.listing('listErasureResources', { params: { id }, query }, options);
  }
  confirm(id: string, body: Body<'confirmErasure'> = {}, options?: RequestOptions) {
    return this.transport.call('confirmErasure', { params: { id }, body }, options);
  }
  cancel(id: string, options?: RequestOptions) {
    return this.transport.call('cancelErasure', { params: { id } }, options);
  }
}
