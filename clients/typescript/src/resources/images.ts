import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** A size that an image can be had in. */
export type RenditionName = 'thumb' | 'w320' | 'w640' | 'w1280';

/** Images: objects that are pictures, with what they show. */
export class Images extends Resource {
  /** Searches; a page has `facets` where `include` asks for them. */
  list(query: Query<'searchImages'> = {}, options?: RequestOptions) {
    return this.listing('searchImages', { query }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getImage', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateImage'>, options?: RequestOptions) {
    return this.transport.call('updateImage', { params: { id }, body }, options);
  }
  /** Edits one or many: by `id`, `ids`, `updates` or `filter`. */
  edit(body: Body<'updateImages'>, options?: RequestOptions) {
    return this.transport.call('updateImages', { body }, options);
  }
  trash(id: string, options?: RequestOptions) {
    return this.transport.call('trashImage', { params: { id } }, options);
  }
  restore(id: string, options?: RequestOptions) {
    return this.transport.call('restoreImage', { params: { id } }, options);
  }
  /** The picture in a smaller size: read its body, or hand it on. */
  rendition(id: string, name: RenditionName, options?: RequestOptions): Promise<Response> {
    return this.transport.send('getRendition', { params: { id, name } }, options);
  }
  /** The collections that hold it. */
  collections(id: string, query: Query<'listImageCollections'> = {}, options?: RequestOptions) {
    return this.listing('listImageCollections', { params: { id }, query }, options);
  }
}
