import { ScriptoriumError } from '../error.ts';
import type { Upload } from '../generated.ts';
import type { UploadOffset, Uploads } from '../resources/uploads.ts';
import { backoff, sleep } from '../retry.ts';
import type { RequestOptions, Transport } from '../transport.ts';
import {
  bytesSource,
  type Source,
  sourceOf,
  takeFrom,
  type UnsizedStream,
  type Uploadable,
} from './source.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
/** Smaller files are sent in one request. */
const maxSingleRequestBytes = 8 * MiB;
const minChunkBytes = 256 * KiB;
const firstChunkBytes = MiB;
const maxChunkBytes = 16 * MiB;
/**
 * Maximum number of successive failures, as a multiple of `maxRetries`: a large upload is expensive
 * to begin again.
 */
const failuresPerRetry = 3;

export interface UploadOptions extends Omit<RequestOptions, 'ifMatch'> {
  /** The filename. Required if the file has no name. Default: the name of the file. */
  filename?: string | undefined;
  /** The declared media type. The service detects the type from the bytes. */
  contentType?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** `allow` creates a new object even if one with the same bytes and name exists. */
  onDuplicate?: 'reuse' | 'allow' | undefined;
  /** The size of a stream. Without it, a stream cannot be resumed. */
  bytes?: number | undefined;
  /** Called with the number of stored bytes and the total (null if unknown). */
  onProgress?: ((progress: { sent: number; total: number | null }) => void) | undefined;
  /**
   * Called with the id of a resumable upload before its first byte. Store it to resume after a
   * crash.
   */
  onUpload?: ((id: string) => void) | undefined;
  /** Resumes this upload where it stopped. */
  uploadId?: string | undefined;
}

/**
 * Uploads a file: a small one in one request; a larger one, or one with tags or metadata, with tus.
 * Resumes after a lost connection. `signal` aborts the upload; the received part can be resumed
 * with `uploadId`.
 */
export async function upload(
  transport: Transport,
  uploads: Uploads,
  uploadable: Uploadable,
  options: UploadOptions,
): Promise<Upload> {
  const source = sourceOf(uploadable, options.bytes);
  const filename = options.filename ?? ('chunks' in source ? undefined : source.filename);
  if (!filename) throw new TypeError('The file has no name. Set `filename`.');
  const namedOptions = { ...options, filename };
  if ('chunks' in source) return sendStream(transport, uploads, source, namedOptions);
  const isPlain = !options.tags && !options.metadata && !options.uploadId;
  // A tus upload must not be empty. Sent whole, an empty file is rejected by the service.
  return (isPlain && source.bytes <= maxSingleRequestBytes) || source.bytes === 0
    ? sendInOneRequest(transport, source, namedOptions)
    : sendInChunks(transport, uploads, source, namedOptions);
}

type NamedUploadOptions = UploadOptions & { filename: string };

async function sendInOneRequest(
  transport: Transport,
  source: Source,
  options: NamedUploadOptions,
): Promise<Upload> {
  const total = source.bytes;
  options.onProgress?.({ sent: 0, total });
  const body = await source.read(0, total);
  const contentType = options.contentType ?? source.contentType;
  const object = await send(transport, body, { ...options, contentType });
  options.onProgress?.({ sent: total, total });
  return object;
}

/** Sends a stream of unknown size. A short one is buffered; a longer one cannot be retried. */
async function sendStream(
  transport: Transport,
  uploads: Uploads,
  { chunks }: UnsizedStream,
  options: NamedUploadOptions,
): Promise<Upload> {
  const { bytes, rest, ended } = await takeFrom(chunks, new Uint8Array(), maxSingleRequestBytes);
  if (ended) return upload(transport, uploads, bytesSource(bytes), options);
  if (options.tags || options.metadata || options.uploadId) {
    const detail = `A stream of more than ${maxSingleRequestBytes / MiB} MiB can have tags or metadata, or be resumed, only if \`bytes\` is set.`;
    throw new TypeError(detail);
  }
  let sent = 0;
  const countSent = (chunk: Uint8Array): Uint8Array => {
    sent += chunk.byteLength;
    options.onProgress?.({ sent, total: null });
    return chunk;
  };
  const bufferedChunks = [bytes, rest];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const buffered = bufferedChunks.shift();
      if (buffered) return controller.enqueue(countSent(buffered));
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(countSent(next.value));
    },
    cancel: async () => void (await chunks.return?.()),
  });
  return send(transport, body, options);
}

function send(
  transport: Transport,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { filename, contentType, onDuplicate, ...options }: NamedUploadOptions,
): Promise<Upload> {
  const query = onDuplicate ? { on_duplicate: onDuplicate } : {};
  const headers = {
    ...options.headers,
    'Content-Type': contentType ?? 'application/octet-stream',
    'X-Filename': encodeURIComponent(filename),
  };
  // A long timeout, because the duration depends on the number of bytes.
  const timeoutMs = options.timeoutMs ?? 600_000;
  return transport.call('uploadObject', { query, body }, { ...options, headers, timeoutMs });
}

async function sendInChunks(
  transport: Transport,
  uploads: Uploads,
  source: Source,
  options: NamedUploadOptions,
): Promise<Upload> {
  const { signal, timeoutMs, maxRetries, requestId, headers, tags, metadata, onProgress } = options;
  const requestOptions = { signal, timeoutMs, maxRetries, requestId, headers };
  const total = source.bytes;
  const existingId = options.uploadId;
  const id = existingId ?? (await createUpload(uploads, source, options, requestOptions));
  if (!existingId) options.onUpload?.(id);
  let progress = existingId
    ? await fetchOffset(uploads, id, source, requestOptions)
    : { offset: 0, objectId: null };
  onProgress?.({ sent: progress.offset, total });
  const maxFailures = (maxRetries ?? transport.maxRetries) * failuresPerRetry;
  let chunkBytes = firstChunkBytes;
  let failures = 0;
  while (progress.offset < total || progress.objectId === null) {
    const bytes = await source.read(progress.offset, Math.min(chunkBytes, total - progress.offset));
    const startedAt = performance.now();
    try {
      progress = await uploads.append(id, { offset: progress.offset, bytes }, requestOptions);
      failures = 0;
      chunkBytes = nextChunk(chunkBytes, performance.now() - startedAt);
    } catch (error) {
      if (!canResume(error) || failures >= maxFailures) throw error;
      failures += 1;
      chunkBytes = minChunkBytes;
      await sleep(backoff(failures), signal);
      progress = await fetchOffset(uploads, id, source, requestOptions);
    }
    onProgress?.({ sent: progress.offset, total });
  }
  const [object, record] = await Promise.all([
    transport.call('getObject', { params: { id: progress.objectId } }, requestOptions),
    uploads.get(id, requestOptions),
  ]);
  const deduplicated = record.deduplicated ?? false;
  const isMetadataIgnored = deduplicated && (tags !== undefined || metadata !== undefined);
  const { image_id } = record;
  return { ...object, image_id, deduplicated, warnings: isMetadataIgnored ? ['tags_ignored'] : [] };
}

function createUpload(
  uploads: Uploads,
  source: Source,
  options: NamedUploadOptions,
  requestOptions: RequestOptions,
): Promise<string> {
  const { filename, contentType = source.contentType, tags, metadata, onDuplicate } = options;
  const { bytes } = source;
  return uploads.create(
    { filename, bytes, contentType, tags, metadata, onDuplicate },
    requestOptions,
  );
}

/**
 * Returns the offset of an upload.
 * @throws TypeError if it was started with a file of another size
 */
async function fetchOffset(
  uploads: Uploads,
  id: string,
  source: Source,
  requestOptions: RequestOptions,
): Promise<UploadOffset> {
  const { bytes, offset, object_id: objectId } = await uploads.get(id, requestOptions);
  if (bytes !== source.bytes) {
    throw new TypeError(`Upload ${id} has ${bytes} bytes, but this file has ${source.bytes}.`);
  }
  return { offset, objectId };
}

/** Adapts the chunk size so that progress is reported about once a second. */
function nextChunk(chunkBytes: number, tookMs: number): number {
  if (tookMs < 500) return Math.min(chunkBytes * 2, maxChunkBytes);
  return tookMs > 2_000 ? Math.max(chunkBytes / 2, minChunkBytes) : chunkBytes;
}

/** Whether to get the offset and continue after an error. */
function canResume(error: unknown): boolean {
  if (!(error instanceof ScriptoriumError)) return false;
  const { code, retryable, status } = error;
  return retryable || status === 460 || code === 'offset_mismatch' || code === 'upload_locked';
}
