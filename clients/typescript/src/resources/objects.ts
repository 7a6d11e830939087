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
   * Uploads a file: `File` and `Blob`, bytes, a stream, or what `openFile` of
   * `@scriptorium/client/node` gives. An available one with these bytes and this name is answered
   * instead (`deduplicated`).
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
  /** Empties the trash but for what policies keep; large ones in the background. */
  emptyTrash(options?: RequestOptions) {
    return this.transport.call('emptyTrash', {}, options);
  }
  restore(id: string, options?: RequestOptions) {
    return this.transport.call('restoreObject', { params: { id } }, options);
  }
  /** Its bytes: read the body of the answer, or hand it on. `headers: {Range}` asks for some. */
  download(id: string, options?: RequestOptions): Promise<Response> {
    return this.transport.send('getObjectContent', { params: { id } }, options);
  }
  /** Many as one ZIP file: read the body of the answer, or hand it on. */
  archive(body: Body<'archiveObjects'>, options?: RequestOptions): Promise<Response> {
    return this.transport.send('archiveObjects', { body }, options);
  }
  /** A URL that downloads it for a while, for who has no key. */
  signUrl(id: string, body: Body<'createSignedUrl'> = {}, options?: RequestOptions) {
    return this.transport.call('createSignedUrl', { params: { id }, body }, options);
  }
  /** The jobs that worked on it. */
  jobs(id: string, query: Query<'listObjectJobs'> = {}, options?: RequestOptions) {
    return this.listing('listObjectJobs', { params: { id }, query }, options);
  }
  /** The collections that hold it. */
  collections(id: string, query: Query<'listObjectCollections'> = {}, options?: RequestOptions) {
    return this.listing('listObjectCollections', { params: { id }, query }, options);
  }
}
