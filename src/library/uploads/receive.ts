import { Readable } from 'node:stream';
import type { Upload } from '../../entities/library/upload.ts';
import type { Checksum } from '../../storage/storage.ts';
import { inspectUpload, type UploadWork } from './finish.ts';

/** After this many bytes, the policies are applied to a file that is still being uploaded. */
const inspectedBytes = 8 * 1024 * 1024;
/** The bytes of a request are made durable at least this often. */
const portionBytes = 64 * 1024 * 1024;

/**
 * Appends the bytes of one request to an upload, in portions: each is durable before the next
 * begins. If they end early, or `signal` fires, the received bytes are kept.
 * @param pieces must end or throw soon after the signal
 * @returns the new offset
 * @throws Problem 403 `policy_denied`, StorageError, or any error of `pieces`
 */
export async function receiveBytes(
  work: UploadWork,
  upload: Upload,
  offset: number,
  pieces: AsyncIterator<Buffer>,
  options: { signal: AbortSignal; checksum?: Checksum | undefined },
): Promise<number> {
  const { partials } = work.storage;
  const { signal, checksum } = options;
  const body = deal(pieces);
  let at = offset;
  const inspect = async (): Promise<void> => {
    const due = at >= inspectedBytes && at < upload.length;
    if (due && upload.mime === null) await inspectUpload(work, upload);
  };
  // An earlier request may have ended before this check.
  await inspect();
  do {
    const rest = upload.length - at;
    const portion = at < inspectedBytes ? inspectedBytes - at : portionBytes;
    // Bytes with a checksum form a single portion. One extra byte is enough to reject it.
    const max = checksum ? rest + 1 : Math.min(portion, rest + 1);
    const stream = Readable.from(body.take(max), { objectMode: false });
    at = await partials.append(upload.projectId, upload.id, at, stream, {
      maxBytes: rest,
      signal,
      ...(checksum ? { checksum } : {}),
    });
    await inspect();
  } while (await body.hasMore());
  return at;
}

/** Splits a body into portions; the rest of a piece is the start of the next portion. */
function deal(pieces: AsyncIterator<Buffer>) {
  let rest: Buffer | null = null;
  const read = async (): Promise<Buffer | null> => {
    const next = await pieces.next();
    return next.done ? null : next.value;
  };
  return {
    async *take(max: number): AsyncGenerator<Buffer> {
      let left = max;
      while (left > 0) {
        const piece: Buffer | null = rest ?? (await read());
        rest = null;
        if (piece === null) return;
        if (piece.length > left) rest = piece.subarray(left);
        const given = rest ? piece.subarray(0, left) : piece;
        left -= given.length;
        yield given;
      }
    },
    async hasMore(): Promise<boolean> {
      rest ??= await read();
      return rest !== null;
    },
  };
}
