import { ScriptoriumError } from '../error.ts';
import type { Bytes } from '../generated.ts';
import type { RequestOptions } from '../transport.ts';
import { Resource } from './resource.ts';

const tus = { 'Tus-Resumable': '1.0.0' };

/** A file to upload. */
export interface NewUpload {
  filename: string;
  /** The total size. */
  bytes: number;
  contentType?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  onDuplicate?: 'reuse' | 'allow' | undefined;
}

/** The progress of an upload. */
export interface UploadOffset {
  /** The number of stored bytes. */
  offset: number;
  /** The resulting object, once complete. */
  objectId: string | null;
}

/** Resumable uploads with tus 1.0. `objects.upload` handles all steps. */
export class Uploads extends Resource {
  /** The supported tus version, extensions and maximum size. */
  async describe(options: RequestOptions = {}): Promise<Record<string, string>> {
    const { headers } = await this.transport.send('describeUploads', {}, options);
    return Object.fromEntries([...headers].filter(([name]) => name.startsWith('tus-')));
  }

  /** Creates an upload; returns its id. */
  async create(upload: NewUpload, options: RequestOptions = {}): Promise<string> {
    const response = await this.transport.send(
      'createUpload',
      {},
      {
        ...options,
        headers: {
          ...options.headers,
          ...tus,
          'Upload-Length': String(upload.bytes),
          'Upload-Metadata': describe(upload),
        },
      },
    );
    const id = /\/(upl_\w+)$/.exec(response.headers.get('location') ?? '')?.[1];
    if (!id)
      throw ScriptoriumError.local('unexpected_answer', 'The response has no Location header.');
    return id;
  }

  /** The progress and result of an upload, to continue after a failure. */
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getUpload', { params: { id } }, options);
  }

  /** Appends bytes at `offset`. */
  async append(
    id: string,
    { offset, bytes }: { offset: number; bytes: Bytes },
    options: RequestOptions = {},
  ): Promise<UploadOffset> {
    const headers = {
      ...options.headers,
      ...tus,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
    };
    const input = { params: { id }, body: bytes };
    return readOffset(await this.transport.send('appendToUpload', input, { ...options, headers }));
  }

  /** Terminates an upload and deletes its bytes. */
  terminate(id: string, options: RequestOptions = {}) {
    const headers = { ...options.headers, ...tus };
    return this.transport.call('terminateUpload', { params: { id } }, { ...options, headers });
  }
}

function readOffset({ headers }: Response): UploadOffset {
  const offset = headers.get('upload-offset');
  if (offset === null || !/^\d+$/.test(offset)) {
    throw ScriptoriumError.local('unexpected_answer', 'The response has no Upload-Offset header.');
  }
  return { offset: Number(offset), objectId: headers.get('object-id') };
}

/** Pairs of a key and the base64 of its value. */
function describe({ filename, contentType, tags, metadata, onDuplicate }: NewUpload): string {
  const pairs: Record<string, string | undefined> = {
    filename,
    filetype: contentType,
    tags: tags && JSON.stringify(tags),
    metadata: metadata && JSON.stringify(metadata),
    on_duplicate: onDuplicate,
  };
  return Object.entries(pairs)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',');
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
