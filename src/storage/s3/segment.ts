/** A segment that fills up on the disk, so that memory holds it only while it is sent. */
import { open as openFile, rm } from 'node:fs/promises';

export interface Segment {
  write(bytes: Buffer): Promise<void>;
  bytes(): number;
  read(): Promise<Buffer>;
  clear(): Promise<void>;
  /** Removes the file. */
  close(): Promise<void>;
}

/** Opens a new file at `path` to write into and read from. */
export async function openSegment(path: string): Promise<Segment> {
  const file = await openFile(path, 'wx+', 0o600);
  let size = 0;
  return {
    async write(bytes) {
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, written, bytes.length - written, size);
        written += bytesWritten;
        size += bytesWritten;
      }
    },
    bytes: () => size,
    async read() {
      const bytes = Buffer.alloc(size);
      for (let read = 0; read < size; ) {
        const { bytesRead } = await file.read(bytes, read, size - read, read);
        if (bytesRead === 0) throw new Error('A temporary file is shorter than it was.');
        read += bytesRead;
      }
      return bytes;
    },
    async clear() {
      await file.truncate(0);
      size = 0;
    },
    async close() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
