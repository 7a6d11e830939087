import type { Readable } from 'node:stream';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import { DataStore, ERRORS, type Locker, Server, Upload as TusUpload } from '@tus/server';
import { prepared } from '../../db/transaction.ts';
import type { Upload } from '../../entities/library/upload.ts';
import { createUpload, type UploadDeclaration } from '../../library/uploads/create.ts';
import { finishUpload, type UploadContext } from '../../library/uploads/finish.ts';
import {
  findUpload,
  rejectExpiredOrRejected,
  storedBytesOf,
  uploadExpired,
} from '../../library/uploads/load.ts';
import type { UploadLock, UploadLocks } from '../../library/uploads/locks.ts';
import { receiveBytes } from '../../library/uploads/receive.ts';
import { isStorageFault, removeUploadBytes } from '../../library/uploads/remove-upload-bytes.ts';
import { type Checksum, StorageError } from '../../storage/storage.ts';
import { storageProblem } from './receive.ts';
import { tooLong, tusExtensions, tusVersion, uploadsPath } from './tus-headers.ts';

/** A request that is idle for this long yields to another request for the same upload. */
const maxIdleMs = 1_000;
/** The response headers of `@tus/server` that are forwarded. Its CORS headers are not. */
const forwardedHeaders = [
  'Location',
  'Upload-Offset',
  'Upload-Length',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
];
const engineHeaders = ['upload-length', 'upload-offset', 'content-type', 'content-length'];

/** An authorised tus request with validated headers. */
export interface TusRequest {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS';
  headers: NodeJS.Dict<string | string[]>;
  work: UploadContext;
  locks: UploadLocks;
  signal: AbortSignal;
  /** The upload in the path. */
  upload?: Upload;
  /** The upload to create. */
  wanted?: Omit<UploadDeclaration, 'id' | 'keyId'>;
  keyId: string;
  checksum?: Checksum | undefined;
  /** The body as it arrives. Each piece shows that the client is active. */
  pieces?: AsyncIterator<Buffer>;
  /** Closes the connection, which ends `pieces`. */
  disconnect(): void;
}

export interface TusResponse {
  status: number;
  headers: Record<string, string>;
}

/**
 * Handles a request with `@tus/server`, which implements the protocol, offsets and response
 * headers. This service provides rows, locks, expiry and bytes behind its DataStore; the bytes do
 * not pass through the engine. Its errors become Problems.
 */
export async function handleTus(request: TusRequest): Promise<TusResponse> {
  const store = new UploadStore(request);
  let failure: unknown;
  const server = new Server({
    path: uploadsPath,
    relativeLocation: true,
    maxSize: limits.resumable_upload_bytes,
    namingFunction: () => newId('upload'),
    datastore: store,
    locker: store.locker,
    onResponseError: (_request, error) => {
      failure = error;
      return undefined;
    },
  });
  const headers = new Headers({ 'Tus-Resumable': tusVersion });
  for (const name of engineHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const path = request.upload ? `${uploadsPath}/${request.upload.id}` : uploadsPath;
  const { method } = request;
  const response = await server.handleWeb(new Request(`http://api${path}`, { method, headers }));
  if (failure !== undefined) throw problemOf(failure, store.upload?.id ?? '');
  if (response.status >= 400)
    throw new Problem('malformed_request', 'The request is not a valid tus request.');
  const responseHeaders: Record<string, string> = {};
  for (const name of forwardedHeaders) {
    const value = response.headers.get(name);
    if (value !== null) responseHeaders[name] = value;
  }
  if ((method === 'POST' || method === 'PATCH') && store.upload?.state === 'uploading') {
    responseHeaders['Upload-Expires'] = store.upload.expiresAt.toUTCString();
  }
  if (method === 'HEAD' && store.upload) responseHeaders['Upload-Metadata'] = store.upload.given;
  if (store.upload?.objectId) responseHeaders['Object-Id'] = store.upload.objectId;
  return { status: response.status, headers: responseHeaders };
}

/** The DataStore of one request. */
class UploadStore extends DataStore {
  override extensions = tusExtensions;
  readonly #request: TusRequest;
  /** The state after this request. */
  upload: Upload | undefined;
  #lock: UploadLock | undefined;
  /** Since when the next bytes have been awaited; null while bytes are processed. */
  waitingSince: number | null = null;

  constructor(request: TusRequest) {
    super();
    this.#request = request;
    this.upload = request.upload;
  }

  readonly locker: Locker = {
    newLock: (id) => ({
      lock: async () => {
        const { method, locks } = this.#request;
        // Reading the offset requires no lock.
        if (method === 'HEAD') return;
        const insists = method === 'DELETE';
        const isIdle = () =>
          this.waitingSince !== null && performance.now() - this.waitingSince >= maxIdleMs;
        this.#lock = await locks.take(id, isIdle, { insists });
      },
      unlock: async () => this.#lock?.release(),
    }),
  };

  override getExpiration(): number {
    return limits.resumable_upload_hours * 3_600_000;
  }

  override async create(tusUpload: TusUpload): Promise<TusUpload> {
    const { work, wanted, keyId } = this.#request;
    if (!wanted) throw new Error('The request does not create an upload.');
    const upload = await work.inProject((tx) =>
      createUpload(tx, work.origin, { ...wanted, id: tusUpload.id, keyId }),
    );
    this.upload = upload;
    return tusUpload;
  }

  override async getUpload(): Promise<TusUpload> {
    const upload = await this.#load();
    let offset = await storedBytesOf(this.#request.work.storage, upload);
    if (this.#request.method === 'HEAD' && offset === upload.length) {
      // Clients treat this as complete, so the upload must be finished.
      await this.#finishIfFree(upload);
      offset = await storedBytesOf(this.#request.work.storage, this.requireUpload());
    }
    // Without its creation time, which the engine would compare with the local clock.
    return new TusUpload({ id: upload.id, size: upload.length, offset });
  }

  /** The engine's stream is empty. The bytes come from the request. */
  override async write(stream: Readable, _id: string, offset: number): Promise<number> {
    stream.resume();
    const { work, pieces } = this.#request;
    const upload = this.requireUpload();
    if (upload.state !== 'uploading') return offset;
    try {
      const newOffset = pieces ? await this.#receive(upload, offset, pieces) : offset;
      if (newOffset === upload.length) this.upload = await finishUpload(work, upload);
      return newOffset;
    } catch (error) {
      if (this.#request.method === 'POST' && isStorageFault(error)) await this.removeUpload(upload);
      throw error;
    }
  }

  /**
   * Removes an upload whose URL the client does not receive: a retry creates another upload.
   */
  async removeUpload({ projectId, id }: Upload): Promise<void> {
    const { work } = this.#request;
    try {
      await work.inProject((tx) =>
        prepared(
          tx,
          `DELETE FROM upload WHERE project_id = $1 AND id = $2 AND state = 'uploading'`,
          [projectId, id],
        ),
      );
    } catch {
      // The upload expires later.
    }
  }

  override async remove(): Promise<void> {
    const { work } = this.#request;
    const upload = await this.#load();
    if (upload.state === 'completed') {
      const detail = `The upload '${upload.id}' is already complete. Trash its object instead.`;
      throw new Problem('state_conflict', detail);
    }
    await work.inProject((tx) =>
      prepared(tx, `DELETE FROM upload WHERE project_id = $1 AND id = $2`, [
        upload.projectId,
        upload.id,
      ]),
    );
    await removeUploadBytes(work.storage, upload);
  }

  async #receive(upload: Upload, offset: number, pieces: AsyncIterator<Buffer>): Promise<number> {
    const { work, signal, checksum, disconnect } = this.#request;
    const stopSignal = this.#lock ? AbortSignal.any([signal, this.#lock.lost]) : signal;
    // Another request may already have asked for the lock.
    if (stopSignal.aborted) disconnect();
    else stopSignal.addEventListener('abort', disconnect, { once: true });
    const timedPieces: AsyncIterator<Buffer> = {
      next: async () => {
        this.waitingSince = performance.now();
        try {
          return await pieces.next();
        } finally {
          this.waitingSince = null;
        }
      },
    };
    try {
      return await receiveBytes(work, upload, offset, timedPieces, {
        signal: stopSignal,
        checksum,
      });
    } finally {
      // All bytes have arrived, so the remaining work must not be interrupted.
      stopSignal.removeEventListener('abort', disconnect);
    }
  }

  async #finishIfFree(upload: Upload): Promise<void> {
    if (upload.state !== 'uploading') return;
    const { locks, work } = this.#request;
    const lock = await locks.takeIfFree(upload.id, () => false);
    // The holder of the lock finishes the upload.
    if (!lock) return;
    try {
      const current = await this.#load();
      this.upload = current.state === 'uploading' ? await finishUpload(work, current) : current;
    } finally {
      await lock.release();
    }
  }

  /** Reads the current row. */
  async #load(): Promise<Upload> {
    const { work, method } = this.#request;
    const known = this.requireUpload();
    const upload = await work.inProject((tx) => findUpload(tx, known.projectId, known.id));
    if (!upload) throw notFound('upload', known.id);
    if (method !== 'DELETE') rejectExpiredOrRejected(upload);
    this.upload = upload;
    return upload;
  }

  requireUpload(): Upload {
    if (!this.upload) throw new Error('The upload has not been created.');
    return this.upload;
  }
}

/** Converts an error of the engine or the storage to a Problem. Other errors are unchanged. */
function problemOf(failure: unknown, id: string): unknown {
  switch (failure) {
    case ERRORS.INVALID_OFFSET:
      return offsetMismatch();
    case ERRORS.FILE_NO_LONGER_EXISTS:
      return uploadExpired(id);
    case ERRORS.ERR_SIZE_EXCEEDED:
    case ERRORS.ERR_MAX_SIZE_EXCEEDED:
      return tooLong();
    case ERRORS.ABORTED:
      return new Problem('malformed_request', 'The upload was interrupted before it was complete.');
  }
  if (!(failure instanceof StorageError)) return failure;
  if (failure.code === 'too_large') return tooLong();
  if (failure.code === 'offset_mismatch') return offsetMismatch();
  if (failure.code === 'checksum_mismatch') {
    const detail = 'The bytes do not match the Upload-Checksum header and were discarded.';
    return new Problem('checksum_mismatch', detail, { retryable: true });
  }
  return storageProblem(failure);
}

function offsetMismatch(): Problem {
  const detail = 'The Upload-Offset header is not the current offset. Get the offset with HEAD.';
  return new Problem('offset_mismatch', detail, {
    errors: [{ header: 'Upload-Offset', code: 'offset_mismatch', detail }],
  });
}
