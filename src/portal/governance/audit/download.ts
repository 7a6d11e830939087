import { type ApiRequest, fetchOrProblem, urlOf } from '../../api/request.ts';

/** How much of a download has come. */
export interface Received {
  bytes: number;
  lines: number;
}

/** A download that began and did not come to its end. */
export class BrokenOff extends Error {
  constructor(cause: unknown) {
    super('The download broke off before its end.', { cause });
    this.name = 'BrokenOff';
  }
}

const folder = 'exports';
/** How long the browser may take to copy a file that it was given. */
const keptMs = 60_000;
const newline = 10;

/**
 * Downloads an answer whole: the file is given to the user when the last byte has come, and never
 * before. Meanwhile it lies on disk, in the folder that the browser keeps for this site, not in memory.
 * @throws ApiProblem when it is refused, BrokenOff when it ends before its end
 */
export async function download(
  request: ApiRequest<unknown>,
  name: string,
  signal: AbortSignal,
  onProgress: (received: Received) => void,
): Promise<void> {
  const response = await fetchOrProblem(urlOf(request), {
    headers: request.headers ?? {},
    signal,
  });
  const type = response.headers.get('Content-Type') ?? '';
  const store = await openStore(name, type);
  let bytes = 0;
  let lines = 0;
  try {
    for (const reader = response.body!.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      await store.write(value);
      bytes += value.length;
      for (const byte of value) if (byte === newline) lines += 1;
      onProgress({ bytes, lines });
    }
  } catch (error) {
    await store.discard();
    throw new BrokenOff(error);
  }
  const url = URL.createObjectURL(await store.finish());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => {
    URL.revokeObjectURL(url);
    void store.discard();
  }, keptMs);
}

interface Store {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  finish(): Promise<Blob>;
  discard(): Promise<void>;
}

async function openStore(name: string, type: string): Promise<Store> {
  try {
    return await onDisk(name);
  } catch (error) {
    // Not over plain HTTP, nor in every browser or private window.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    return inMemory(type);
  }
}

async function onDisk(name: string): Promise<Store> {
  const root = await navigator.storage.getDirectory();
  const exports = await root.getDirectoryHandle(folder, { create: true });
  const file = await exports.getFileHandle(name, { create: true });
  const writer = await file.createWritable();
  return {
    write: (bytes) => writer.write(bytes),
    finish: async () => {
      await writer.close();
      return file.getFile();
    },
    discard: async () => {
      // Closed already when it was finished.
      await writer.abort().catch(() => undefined);
      await exports.removeEntry(name).catch(() => undefined);
    },
  };
}

function inMemory(type: string): Store {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    write: async (bytes) => {
      parts.push(bytes);
    },
    finish: async () => new Blob(parts, { type }),
    discard: async () => {
      parts = [];
    },
  };
}

/** Removes what exports that were never finished left behind. */
export async function removeLeftovers(): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(folder, { recursive: true });
  } catch (error) {
    // There is none, another tab has it open, or this browser keeps no files.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  }
}
