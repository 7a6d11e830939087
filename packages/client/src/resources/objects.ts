import type { Upload } from '../generated.ts';
import type { RequestOptions } from '../transport.ts';
import type { Uploadable } from '../upload/source.ts';
import { type UploadOptions, upload } from '../upload/upload.ts';
import { type Body, type Query, Resource } from './resource.ts';
import { Uploads } from './uploads.ts';

/** Objects: stored files. */
export class Objects extends Resource {
  list(query: Query<'listObjects'> = {}, options?: RequestOptions) {
    return this.listing('listObjects', { query }, options);
  }
  /**
   * Uploads a `File` or `Blob`, bytes, a stream, or a file from `openFile` of
   * `@scriptorium/client/node`. Returns an existing object with the same bytes and filename, if any
   * (`deduplicated`).
   */
  upload(file: Uploadable, options: UploadOptions = {}): Promise<Upload> {
    return upload(this.transport, new Uploads(this.transport), file, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getObject', { params: { id } }, options);
  }
  update(id: string, body: Body<'updateObject'>, options?: RequestOptions) {
    return this.transport.call('updateObject', { params: { id }, body }, options);
  }
  trash(id: string, query: Query<'trashObject'> = {}, options?: RequestOptions) {
    return this.transport.call('trashObject', { params: { id }, query }, options);
  }
  /**
   * Purges the trash, except objects that policies retain. A large trash is purged in the
   * background.
   */
  emptyTrash(options?: RequestOptions) {
    return this.transport.call('emptyTrash', {}, options);
  }
  restore(id: string, options?: RequestOptions) {
    return this.transport.call('restoreObject', { params: { id } }, options);
  }
  /** Downloads the bytes; returns the raw response. `headers: {Range}` requests a range. */
  download(id: string, options?: RequestOptions): Promise<Response> {
    return this.transport.send('getObjectContent', { params: { id } }, options);
  }
  /** A page as a picture, with marked places; returns the raw response. */
  pageImage(
    id: string,
    page: number,
    query: Query<'getPageImage'> = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    const params = { id, n: String(page) };
    const headers = { Accept: 'image/webp, image/png', ...options.headers };
    return this.transport.send('getPageImage', { params, query }, { ...options, headers });
  }
  /** The words of a page with their positions. */
  pageText(id: string, page: number, options?: RequestOptions) {
    return this.transport.call('getPageText', { params: { id, n: String(page) } }, options);
  }
  /** Downloads several objects as a ZIP file; returns the raw response. */
  archive(body: Body<'archiveObjects'>, options?: RequestOptions): Promise<Response> {
    return this.transport.send('archiveObjects', { body }, options);
  }
  /** Creates a temporary URL for downloads without a key. */
  signUrl(id: string, body: Body<'createSignedUrl'> = {}, options?: RequestOptions) {
    return this.transport.call('createSignedUrl', { params: { id }, body }, options);
  }
  /** Lists who downloaded the object, latest first. */
  downloads(id: string, query: Query<'listObjectDownloads'> = {}, options?: RequestOptions) {
    return this.listing('listObjectDownloads', { params: { id }, query }, options);
  }
  /** Lists the jobs of the object. */
  jobs(id: string, query: Query<'listObjectJobs'> = {}, options?: RequestOptions) {
    return this.listing('listObjectJobs', { params: { id }, query }, options);
  }
  /** Lists the collections that contain the object. */
  collections(id: string, query: Query<'listObjectCollections'> = {}, options?: RequestOptions) {
    return this.listing('listObjectCollections', { params: { id }, query }, options);
  }
}
