import type { Pack } from '../generated.ts';
import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';
import { type WaitOptions, waitFor } from './waiting.ts';

/** Packs: archives of many documents for language models, and the citations of their chunks. */
export class Packs extends Resource {
  list(query: Query<'listPacks'> = {}, options?: RequestOptions) {
    return this.listing('listPacks', { query }, options);
  }
  create(body: Body<'createPack'>, options?: RequestOptions) {
    return this.transport.call('createPack', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getPack', { params: { id } }, options);
  }
  documents(id: string, query: Query<'listPackDocuments'> = {}, options?: RequestOptions) {
    return this.listing('listPackDocuments', { params: { id }, query }, options);
  }
  /** The changes since the pack that this one refreshes. */
  changes(id: string, query: Query<'listPackChanges'> = {}, options?: RequestOptions) {
    return this.listing('listPackChanges', { params: { id }, query }, options);
  }
  cancel(id: string, options?: RequestOptions) {
    return this.transport.call('cancelPack', { params: { id } }, options);
  }
  /** Retries the missing documents of a pack, as a new pack. */
  retry(id: string, options?: RequestOptions) {
    return this.transport.call('retryPack', { params: { id } }, options);
  }
  /** Resolves the identifier of a chunk: its object, pages, boxes and text. */
  citation(chunkId: string, options?: RequestOptions) {
    return this.transport.call('getCitation', { params: { id: chunkId } }, options);
  }
  /** Waits until a pack has ended; check its `state`. */
  wait(id: string, options: WaitOptions<Pack> = {}): Promise<Pack> {
    return waitFor(this.transport, { operation: 'getPack', event: 'pack' }, id, options);
  }
}
