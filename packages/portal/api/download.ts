import { type ApiRequest, fetchRequest } from './request.ts';

/** A download that was interrupted. */
export class DownloadInterrupted extends Error {
  constructor(cause: unknown) {
    super('The download was interrupted.', { cause });
    this.name = 'DownloadInterrupted';
  }
}

const exportFolder = 'exports';
/** How long the file is kept so that the browser can copy it, in milliseconds. */
const discardDelayMs = 60_000;

/**
 * Downloads a response completely before offering it to the user, so that an incomplete file is
 * never saved. Meanwhile it is stored on disk, in the origin private file system, rather than in
 * memory.
 * @throws ApiProblem if the request fails, DownloadInterrupted if the response is incomplete
 */
export async function download(
  request: ApiRequest<unknown>,
  name: string,
  signal: AbortSignal,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const response = await fetchRequest(request, '*/*', signal);
  const type = response.headers.get('Content-Type') ?? '';
  const store = await openStore(name, type);
  try {
    for (const reader = response.body!.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      await store.write(value);
      onChunk(value);
    }
  } catch (error) {
    await store.discard();
    throw new DownloadInterrupted(error);
  }
  const url = URL.createObjectURL(await store.finish());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => {
    URL.revokeObjectURL(url);
    void store.discard();
  }, discardDelayMs);
}

interface DownloadStore {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  finish(): Promise<Blob>;
  discard(): Promise<void>;
}

async function openStore(name: string, type: string): Promise<DownloadStore> {
  try {
    return await openDiskStore(name);
  } catch (error) {
    // Not available over plain HTTP, or in every browser or private window.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    return openMemoryStore(type);
  }
}

async function openDiskStore(name: string): Promise<DownloadStore> {
  const root = await navigator.storage.getDirectory();
  const exports = await root.getDirectoryHandle(exportFolder, { create: true });
  const file = await exports.getFileHandle(name, { create: true });
  const writer = await file.createWritable();
  return {
    write: (bytes) => writer.write(bytes),
    finish: async () => {
      await writer.close();
      return file.getFile();
    },
    discard: async () => {
      // Fails if the file is already closed.
      await writer.abort().catch(() => undefined);
      await exports.removeEntry(name).catch(() => undefined);
    },
  };
}

function openMemoryStore(type: string): DownloadStore {
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

/** Removes the files of unfinished exports. */
export async function removeUnfinishedExports(): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(exportFolder, { recursive: true });
  } catch (error) {
    // No files, in use by another tab, or not supported by this browser.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  }
}
