import { Readable } from 'node:stream';
import type { Upload } from '../../entities/library/upload.ts';
import type { Checksum } from '../../storage/storage.ts';
import { inspectUpload, type UploadContext } from './finish.ts';

/** After this many bytes, the policies are applied to a file that is still being uploaded. */
const inspectAfterBytes = 8 * 1024 * 1024;
/** The bytes of a request are made durable at least this often. */
const portionBytes = 64 * 1024 * 1024;

/**
 * Appends the bytes of a request to an upload, in portions: each is durable before the next begins. If
 * the bytes end early, or `signal` fires, those received are kept.
 * @param pieces must end or throw soon after the signal
 * @returns the new offset
 * @throws Problem 403 `policy_denied`, StorageError, or any error of `pieces`
 */
export async function receiveBytes(
  context: UploadContext,
  upload: Upload,
  offset: number,
  pieces: AsyncIterator<Buffer>,
  options: { signal: AbortSignal; checksum?: Checksum | undefined },
): Promise<number> {
  const { partials } = context.storage;
  const { signal, checksum } = options;
  const body = splitIntoPortions(pieces);
  let currentOffset = offset;
  const inspect = async (): Promise<void> => {
    const isDue = currentOffset >= inspectAfterBytes && currentOffset < upload.length;
    if (isDue && upload.mime === null) await inspectUpload(context, upload);
  };
  // An earlier request may have ended before this check.
  await inspect();
  do {
    const remaining = upload.length - currentOffset;
    const portion =
      currentOffset < inspectAfterBytes ? inspectAfterBytes - currentOffset : portionBytes;
    // Bytes with a checksum are a single portion. One extra byte suffices to reject a body that is too long.
    const max = checksum ? remaining + 1 : Math.min(portion, remaining + 1);
    const stream = Readable.from(body.take(max), { objectMode: false });
    currentOffset = await partials.append(upload.projectId, upload.id, currentOffset, stream, {
      maxBytes: remaining,
      signal,
      ...(checksum ? { checksum } : {}),
    });
    await inspect();
  } while (await body.hasMore());
  return currentOffset;
}

/** Splits a body into portions. A piece may end one portion and start the next. */
function splitIntoPortions(pieces: AsyncIterator<Buffer>) {
  let leftover: Buffer | null = null;
  const read = async (): Promise<Buffer | null> => {
    const next = await pieces.next();
    return next.done ? null : next.value;
  };
  return {
    async *take(max: number): AsyncGenerator<Buffer> {
      let remaining = max;
      while (remaining > 0) {
        const piece: Buffer | null = leftover ?? (await read());
        leftover = null;
        if (piece === null) return;
        if (piece.length > remaining) leftover = piece.subarray(remaining);
        const chunk = leftover ? piece.subarray(0, remaining) : piece;
        remaining -= chunk.length;
        yield chunk;
      }
    },
    async hasMore(): Promise<boolean> {
      leftover ??= await read();
      return leftover !== null;
    },
  };
}
