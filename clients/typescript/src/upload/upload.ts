import { ScriptoriumError } from '../error.ts';
import type { Upload } from '../generated.ts';
import type { UploadOffset, Uploads } from '../resources/uploads.ts';
import { backoff, pause } from '../retry.ts';
import type { RequestOptions, Transport } from '../transport.ts';
import {
  bytesSource,
  type Flow,
  type Source,
  sourceOf,
  takeFrom,
  type Uploadable,
} from './source.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
/** What is smaller goes in one request. */
const smallBytes = 8 * MiB;
const leastChunk = 256 * KiB;
const mostChunk = 16 * MiB;

export interface UploadOptions extends Omit<RequestOptions, 'ifMatch'> {
  /** What it is called; needed where the file has no name of its own. */
  filename?: string | undefined;
  /** What it is declared as. What it is, the service tells from its bytes. */
  contentType?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** `allow` makes a new object although one with these bytes and this name is there. */
  onDuplicate?: 'reuse' | 'allow' | undefined;
  /** Of a stream: how many bytes it has. Without it a stream cannot be resumed. */
  bytes?: number | undefined;
  /** Told how many bytes have arrived, of how many (null: not known). */
  onProgress?: ((progress: { sent: number; total: number | null }) => void) | undefined;
  /** Told the id of a resumable upload before its first byte: keep it to go on after a crash. */
  onUpload?: ((id: string) => void) | undefined;
  /** Goes on with this upload, from where it stopped. */
  uploadId?: string | undefined;
}

/**
 * Uploads a file: a small one in one request, a larger one, and one with tags or metadata, by tus. A
 * line that breaks is taken up again; `signal` ends it, and leaves what has arrived to `uploadId`.
 */
export async function upload(
  transport: Transport,
  uploads: Uploads,
  given: Uploadable,
  options: UploadOptions,
): Promise<Upload> {
  const source = sourceOf(given, options.bytes);
  const filename = options.filename ?? ('pieces' in source ? undefined : source.filename);
  if (!filename) throw new TypeError('The upload needs a filename.');
  const named = { ...options, filename };
  if ('pieces' in source) return sendFlow(transport, uploads, source, named);
  const plain = !options.tags && !options.metadata && !options.uploadId;
  // An empty file cannot be announced; the service says what it thinks of it.
  return (plain && source.bytes <= smallBytes) || source.bytes === 0
    ? sendWhole(transport, source, named)
    : sendInChunks(transport, uploads, source, named);
}

type Named = UploadOptions & { filename: string };

async function sendWhole(transport: Transport, source: Source, options: Named): Promise<Upload> {
  const total = source.bytes;
  options.onProgress?.({ sent: 0, total });
  const body = await source.read(0, total);
  const contentType = options.contentType ?? source.contentType;
  const made = await send(transport, body, { ...options, contentType });
  options.onProgress?.({ sent: total, total });
  return made;
}

/** A stream that may be short; a long one without a size goes in one request, once. */
async function sendFlow(
  transport: Transport,
  uploads: Uploads,
  { pieces }: Flow,
  options: Named,
): Promise<Upload> {
  const { bytes, rest, ended } = await takeFrom(pieces, new Uint8Array(), smallBytes);
  if (ended) return upload(transport, uploads, bytesSource(bytes), options);
  if (options.tags || options.metadata || options.uploadId) {
    const detail = `A stream of more than ${smallBytes / MiB} MiB needs its size (bytes) to go with tags or metadata, or to be resumed.`;
    throw new TypeError(detail);
  }
  let sent = 0;
  const told = (chunk: Uint8Array): Uint8Array => {
    sent += chunk.byteLength;
    options.onProgress?.({ sent, total: null });
    return chunk;
  };
  const waiting = [bytes, rest];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const ready = waiting.shift();
      if (ready) return controller.enqueue(told(ready));
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(told(next.value));
    },
    cancel: async () => void (await pieces.return?.()),
  });
  return send(transport, body, options);
}

function send(
  transport: Transport,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { filename, contentType, onDuplicate, ...options }: Named,
): Promise<Upload> {
  const query = onDuplicate ? { on_duplicate: onDuplicate } : {};
  const headers = {
    ...options.headers,
    'Content-Type': contentType ?? 'application/octet-stream',
    'X-Filename': encodeURIComponent(filename),
  };
  // The bytes take as long as they take.
  const timeoutMs = options.timeoutMs ?? 600_000;
  return transport.call('uploadObject', { query, body }, { ...options, headers, timeoutMs });
}

async function sendInChunks(
  transport: Transport,
  uploads: Uploads,
  source: Source,
  options: Named,
): Promise<Upload> {
  const { signal, tags, metadata, onProgress } = options;
  const request = { signal, timeoutMs: options.timeoutMs, maxRetries: options.maxRetries };
  const total = source.bytes;
  const known = options.uploadId;
  const id = known ?? (await begin(uploads, source, options, request));
  if (!known) options.onUpload?.(id);
  let at = known ? await resume(uploads, id, source, request) : { offset: 0, objectId: null };
  onProgress?.({ sent: at.offset, total });
  const patience = (options.maxRetries ?? transport.maxRetries) * 3;
  let chunk = MiB;
  let failures = 0;
  while (at.offset < total || at.objectId === null) {
    const bytes = await source.read(at.offset, Math.min(chunk, total - at.offset));
    const began = performance.now();
    try {
      at = await uploads.append(id, { offset: at.offset, bytes }, request);
      failures = 0;
      chunk = nextChunk(chunk, performance.now() - began);
    } catch (error) {
      if (!mayGoOn(error) || failures >= patience) throw error;
      failures += 1;
      chunk = leastChunk;
      await pause(backoff(failures), signal);
      at = await resume(uploads, id, source, request);
    }
    onProgress?.({ sent: at.offset, total });
  }
  const [object, record] = await Promise.all([
    transport.call('getObject', { params: { id: at.objectId } }, request),
    uploads.get(id, request),
  ]);
  const deduplicated = record.deduplicated ?? false;
  const ignored = deduplicated && (tags !== undefined || metadata !== undefined);
  const { image_id } = record;
  return { ...object, image_id, deduplicated, warnings: ignored ? ['tags_ignored'] : [] };
}

function begin(
  uploads: Uploads,
  source: Source,
  options: Named,
  request: RequestOptions,
): Promise<string> {
  const { filename, contentType = source.contentType, tags, metadata, onDuplicate } = options;
  const { bytes } = source;
  return uploads.create({ filename, bytes, contentType, tags, metadata, onDuplicate }, request);
}

/** How far an upload is that was begun with the same file. */
async function resume(
  uploads: Uploads,
  id: string,
  source: Source,
  request: RequestOptions,
): Promise<UploadOffset> {
  const { bytes, offset, object_id: objectId } = await uploads.get(id, request);
  if (bytes !== source.bytes) {
    throw new TypeError(`${id} is of a file of ${bytes} bytes; this one has ${source.bytes}.`);
  }
  return { offset, objectId };
}

/** So large that progress is told about once a second. */
function nextChunk(chunk: number, tookMs: number): number {
  if (tookMs < 500) return Math.min(chunk * 2, mostChunk);
  return tookMs > 2_000 ? Math.max(chunk / 2, leastChunk) : chunk;
}

/** Whether asking for the offset and going on from there may help. */
function mayGoOn(error: unknown): boolean {
  if (!(error instanceof ScriptoriumError)) return false;
  const { code, retryable, status } = error;
  return retryable || status === 460 || code === 'offset_mismatch' || code === 'upload_locked';
}
