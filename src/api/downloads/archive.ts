import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { streamZip, type ZipEntry, zipLength } from '../../library/files/zip-writer.ts';
import type { ArchivedFile } from '../../library/objects/archive.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Reply, stream } from '../frame/reply.ts';
import { createSlots } from '../frame/slots.ts';

/** The maximum number of concurrent archives per key or share. */
export const maxArchivesPerCaller = 4;
/** The maximum of this process, shared among projects. */
const slots = createSlots({ total: 32, perHolder: maxArchivesPerCaller });
/** The maximum time that a request waits for copies without metadata, and the polling interval. */
const maxWaitMs = 20_000;
const pollIntervalMs = 500;

/** An entry with its length, from which the length of the archive is computed. */
export type SizedEntry = ZipEntry & { bytes: number };

/**
 * Waits until workers have created the copies without metadata that policies require. No
 * transaction is open while waiting. If the client disconnects, checks once more and ends.
 * @param request requests the missing copies, and returns their number
 * @throws Problem 409 `state_conflict`, `retryable`
 */
export async function awaitCopies(
  request: () => Promise<number>,
  wake: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (const deadline = performance.now() + maxWaitMs; ; ) {
    const missing = await request();
    if (missing === 0) return;
    wake();
    if (performance.now() >= deadline || signal.aborted) throw copiesNotReady(missing);
    await wait(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The entry of a file under a name. */
export function fileEntry(
  storage: Storage,
  name: string,
  { bytes, sha256, delivery: { object } }: ArchivedFile,
): SizedEntry {
  return { name, bytes, open: () => storage.open(object.projectId, sha256) };
}

/** The entry of a text. */
export function textEntry(name: string, text: string): SizedEntry {
  const content = Buffer.from(text);
  return { name, bytes: content.length, open: async () => Readable.from([content]) };
}

/** @throws Problem 413 if files are too large for an archive in total */
export function requireArchiveSize(files: readonly ArchivedFile[]): void {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= limits.archive_bytes) return;
  throw new Problem(
    'payload_too_large',
    `The files have ${pluralise(total, 'byte')} in total. The maximum for an archive is ${pluralise(limits.archive_bytes, 'byte')}. Send fewer \`ids\`.`,
  );
}

/** The owner whose concurrent archives are limited. */
interface ArchiveCaller {
  projectId: string;
  /** The key, the person or the share. */
  id: string;
}

/**
 * Streams an archive.
 * @throws Problem 429
 */
export function archiveReply(
  caller: ArchiveCaller,
  entries: readonly SizedEntry[],
  disposition: string,
): Reply<200, Readable> {
  // Only checks the limit. The slot is taken when the stream starts.
  slots.take(caller.projectId, caller.id)();
  return stream(200, Readable.from(streamArchive(caller, entries), { objectMode: false }), {
    'Content-Type': 'application/zip',
    'Content-Disposition': disposition,
    'Content-Length': String(zipLength(entries)),
    'Cache-Control': 'private, no-store',
  });
}

/** Streams an archive, and holds a slot until it is sent or the client disconnects. */
async function* streamArchive(
  caller: ArchiveCaller,
  entries: readonly SizedEntry[],
): AsyncGenerator<Buffer> {
  const release = slots.take(caller.projectId, caller.id);
  try {
    yield* streamZip(entries);
  } finally {
    release();
  }
}

export function copiesNotReady(count: number): Problem {
  return new Problem(
    'state_conflict',
    `${pluralise(count, 'file')} without metadata ${count === 1 ? 'is' : 'are'} still being prepared. Retry in a moment.`,
    { retryable: true, headers: { 'Retry-After': '5' } },
  );
}
