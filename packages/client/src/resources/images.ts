import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** The size of a rendition. */
export type RenditionName = 'thumb' | 'w320' | 'w640' | 'w1280';

/** Images. */
export class Images extends Resource {
  /** Searches images. Pages have `facets` if `include` requests them. */
  list(query: Query<'searchImages'> = {}, options?: RequestOptions) {
    return this.listing('searchImages', { query }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getImage', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateImage'>, options?: RequestOptions) {
    return this.transport.call('updateImage', { params: { id }, body }, options);
  }
  /** Edits one or more images: by `id`, `ids`, `updates` or `filter`. */
  edit(body: Body<'updateImages'>, options?: RequestOptions) {
    return this.transport.call('updateImages', { body }, options);
  }
  trash(id: string, options?: RequestOptions) {
    return this.transport.call('trashImage', { params: { id } }, options);
  }
  restore(id: string, options?: RequestOptions) {
    return this.transport.call('restoreImage', { params: { id } }, options);
  }
  /** Downloads a rendition; returns the raw response. */
  rendition(id: string, name: RenditionName, options?: RequestOptions): Promise<Response> {
    return this.transport.send('getRendition', { params: { id, name } }, options);
  }
  /** Counts images by location. */
  places(query: Query<'listImagePlaces'> = {}, options?: RequestOptions) {
    return this.transport.call('listImagePlaces', { query }, options);
  }
  /** Lists the collections that contain the image. */
  collections(id: string, query: Query<'listImageCollections'> = {}, options?: RequestOptions) {
    return this.listing('listImageCollections', { params: { id }, query }, options);
  }
}
