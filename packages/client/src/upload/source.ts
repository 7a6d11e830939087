/** The bytes of an upload, read piece by piece. */
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
export interface Flow {
  pieces: AsyncIterator<Uint8Array>;
}

/** Converts an uploadable to a source. A stream without a size becomes a flow. */
export function sourceOf(given: Uploadable, bytes: number | undefined): Source | Flow {
  if (given instanceof Blob) return blobSource(given);
  if (given instanceof ArrayBuffer) return bytesSource(new Uint8Array(given));
  if (given instanceof Uint8Array) return bytesSource(given);
  const pieces =
    given instanceof ReadableStream
      ? iterate(given)
      : Symbol.asyncIterator in given
        ? given[Symbol.asyncIterator]()
        : null;
  if (pieces === null) return given as Source;
  return bytes === undefined ? { pieces } : flowSource(pieces, bytes);
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
 * A stream of known length. Keeps the last piece for a retry; earlier pieces cannot be read again.
 */
function flowSource(pieces: AsyncIterator<Uint8Array>, bytes: number): Source {
  let kept: Uint8Array<ArrayBuffer> = new Uint8Array();
  let keptFrom = 0;
  let rest: Uint8Array = new Uint8Array();
  return {
    bytes,
    async read(start, length) {
      if (start < keptFrom) throw new TypeError('A stream cannot be read again from the start.');
      const known = kept.subarray(Math.min(start - keptFrom, kept.byteLength));
      if (known.byteLength >= length) return known.subarray(0, length);
      const taken = await takeFrom(pieces, rest, length - known.byteLength);
      rest = taken.rest;
      kept = join([known, taken.bytes]);
      keptFrom = start;
      if (kept.byteLength < Math.min(length, bytes - start)) {
        const came = keptFrom + kept.byteLength;
        throw new TypeError(`The stream ended after ${came} bytes. Expected ${bytes} bytes.`);
      }
      return kept;
    },
  };
}

/** Reads the next `length` bytes, or all up to the end; `rest` contains the bytes read beyond. */
export async function takeFrom(
  pieces: AsyncIterator<Uint8Array>,
  before: Uint8Array,
  length: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; rest: Uint8Array; ended: boolean }> {
  const gathered = [before];
  let count = before.byteLength;
  let ended = false;
  while (count < length && !ended) {
    const next = await pieces.next();
    ended = next.done === true;
    if (next.done) break;
    gathered.push(next.value);
    count += next.value.byteLength;
  }
  const all = join(gathered);
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
