/** A segment that grows on disk, so that it is in memory only while it is sent. */
import { open as openFile, rm } from 'node:fs/promises';
import { ignoreDiskFailure, readExactly, writeAll } from '../files.ts';

export interface Segment {
  write(bytes: Buffer): Promise<void>;
  bytes(): number;
  read(): Promise<Buffer>;
  clear(): Promise<void>;
  /** Removes the file. */
  close(): Promise<void>;
}

/** Opens a new file at `path` for writing and reading. */
export async function openSegment(path: string): Promise<Segment> {
  const file = await openFile(path, 'wx+', 0o600);
  let size = 0;
  return {
    async write(bytes) {
      await writeAll(file, bytes, size);
      size += bytes.length;
    },
    bytes: () => size,
    read: () => readExactly(file, 0, size),
    async clear() {
      await file.truncate(0);
      size = 0;
    },
    async close() {
      await file.close().catch(ignoreDiskFailure);
      await rm(path, { force: true }).catch(ignoreDiskFailure);
    },
  };
}
