import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { type ZipEntry, zip, zipLength } from '../../library/files/zip-writer.ts';
import type { ArchivedFile } from '../../library/objects/archive.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Reply, stream } from '../frame/reply.ts';
import { createSlots } from '../frame/slots.ts';

/** The maximum number of concurrent archives per key or share. */
export const maxPerKey = 4;
/** The maximum of this process, shared among projects. */
const slots = createSlots({ inAll: 32, ofOne: maxPerKey });
/** How long a request waits for copies without metadata, and how often it checks. */
const patienceMs = 20_000;
const lookMs = 500;

/** An entry of known length, so that the length of the archive is known. */
export type SizedEntry = ZipEntry & { bytes: number };

/**
 * Waits until workers have made the copies without metadata that policies require. No transaction
 * is open meanwhile. Ends with one last request when the client has disconnected.
 * @param request requests those that are missing, and returns their number
 * @throws Problem 409 `state_conflict`, `retryable`
 */
export async function awaitCopies(
  request: () => Promise<number>,
  wake: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (const until = performance.now() + patienceMs; ; ) {
    const missing = await request();
    if (missing === 0) return;
    wake();
    if (performance.now() >= until || signal.aborted) throw notReady(missing);
    await wait(lookMs, undefined, { signal }).catch(() => undefined);
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
export function requireSize(files: readonly ArchivedFile[]): void {
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
  holder: ArchiveCaller,
  entries: readonly SizedEntry[],
  disposition: string,
): Reply<200, Readable> {
  // Only checks the limit here. The slot is taken when the stream starts.
  slots.take(holder.projectId, holder.id)();
  return stream(200, Readable.from(counted(holder, entries), { objectMode: false }), {
    'Content-Type': 'application/zip',
    'Content-Disposition': disposition,
    'Content-Length': String(zipLength(entries)),
    'Cache-Control': 'private, no-store',
  });
}

/** Streams the archive; it counts as open until it is sent or the client has disconnected. */
async function* counted(
  holder: ArchiveCaller,
  entries: readonly SizedEntry[],
): AsyncGenerator<Buffer> {
  const release = slots.take(holder.projectId, holder.id);
  try {
    yield* zip(entries);
  } finally {
    release();
  }
}

export function notReady(count: number): Problem {
  return new Problem(
    'state_conflict',
    `${pluralise(count, 'file')} without metadata ${count === 1 ? 'is' : 'are'} still being prepared. Retry in a moment.`,
    { retryable: true, headers: { 'Retry-After': '5' } },
  );
}
