/** The bytes of an upload, read in chunks. */
export interface Source {
  /** The filename, if any. */
  filename?: string | undefined;
  /** The declared media type. */
  contentType?: string | undefined;
  bytes: number;
  /** Reads up to `length` bytes from `start`. */
  read(start: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The accepted types of uploads: a file of a browser or `@scriptorium/client/node`, bytes, or a
 * stream.
 */
export type Uploadable =
  | Source
  | Blob
  | Uint8Array<ArrayBuffer>
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A stream of unknown length. */
export interface UnsizedStream {
  chunks: AsyncIterator<Uint8Array>;
}

/** Converts an uploadable to a source. A stream without a size stays a stream. */
export function sourceOf(
  uploadable: Uploadable,
  bytes: number | undefined,
): Source | UnsizedStream {
  if (uploadable instanceof Blob) return blobSource(uploadable);
  if (uploadable instanceof ArrayBuffer) return bytesSource(new Uint8Array(uploadable));
  if (uploadable instanceof Uint8Array) return bytesSource(uploadable);
  const chunks =
    uploadable instanceof ReadableStream
      ? iterate(uploadable)
      : Symbol.asyncIterator in uploadable
        ? uploadable[Symbol.asyncIterator]()
        : null;
  if (chunks === null) return uploadable as Source;
  return bytes === undefined ? { chunks } : streamSource(chunks, bytes);
}

/** A source of bytes in memory. */
export function bytesSource(bytes: Uint8Array<ArrayBuffer>): Source {
  return {
    bytes: bytes.byteLength,
    read: async (start, length) => bytes.subarray(start, start + length),
  };
}

function blobSource(blob: Blob): Source {
  return {
    filename: 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined,
    contentType: blob.type || undefined,
    bytes: blob.size,
    read: async (start, length) =>
      new Uint8Array(await blob.slice(start, start + length).arrayBuffer()),
  };
}

/**
 * A stream of known length. Keeps the last chunk for a retry; earlier chunks cannot be read again.
 */
function streamSource(chunks: AsyncIterator<Uint8Array>, bytes: number): Source {
  let buffer: Uint8Array<ArrayBuffer> = new Uint8Array();
  let bufferStart = 0;
  let remainder: Uint8Array = new Uint8Array();
  return {
    bytes,
    async read(start, length) {
      if (start < bufferStart) throw new TypeError('A stream cannot be read again from the start.');
      const buffered = buffer.subarray(Math.min(start - bufferStart, buffer.byteLength));
      if (buffered.byteLength >= length) return buffered.subarray(0, length);
      const next = await takeFrom(chunks, remainder, length - buffered.byteLength);
      remainder = next.rest;
      buffer = join([buffered, next.bytes]);
      bufferStart = start;
      if (buffer.byteLength < Math.min(length, bytes - start)) {
        const received = bufferStart + buffer.byteLength;
        throw new TypeError(`The stream ended after ${received} bytes. Expected ${bytes} bytes.`);
      }
      return buffer;
    },
  };
}

/** Reads the next `length` bytes, or all up to the end; `rest` contains the bytes read beyond. */
export async function takeFrom(
  chunks: AsyncIterator<Uint8Array>,
  initial: Uint8Array,
  length: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; rest: Uint8Array; ended: boolean }> {
  const parts = [initial];
  let count = initial.byteLength;
  let ended = false;
  while (count < length && !ended) {
    const next = await chunks.next();
    ended = next.done === true;
    if (next.done) break;
    parts.push(next.value);
    count += next.value.byteLength;
  }
  const all = join(parts);
  return { bytes: all.subarray(0, length), rest: all.subarray(length), ended };
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** Iterates a stream, for browsers where streams are not iterable. */
async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
