import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../../contracts/limits.ts';
import { Problem } from '../../../contracts/problems.ts';
import { ArchiveWish } from '../../../contracts/wire/objects.ts';
import { inProject } from '../../../db/transaction.ts';
import { uniqueNames } from '../../../library/files/unique-names.ts';
import {
  type ArchivedFile,
  chooseArchive,
  type LeftOut,
} from '../../../library/objects/archive.ts';
import { requestVariant } from '../../../library/variants.ts';
import type { Storage } from '../../../storage/storage.ts';
import { type ZipEntry, zip, zipLength } from '../../downloads/zip.ts';
import { occupy } from '../../frame/admit.ts';
import { stream } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';

const manifestName = 'manifest.json';
/** How many archives one key, and all of them, may be sent at once by this process. */
const mostForOneKey = 4;
const mostInAll = 32;
/** How long a request waits for files that have to be made without their metadata. */
const patienceMs = 20_000;
const lookMs = 500;

const sending = new Map<string, number>();

export const archiveObjects = route({
  method: 'POST',
  path: '/v1/objects/archive',
  operationId: 'archiveObjects',
  tag: 'Objects',
  summary: 'Download many objects as one ZIP file.',
  description: `Each file is what a download of its object delivers: without its metadata or as its redaction where a policy says so. Policies are asked about all of them before the first byte; what one refuses refuses the whole, unless \`on_error\` is \`continue\`, which leaves it out. \`${manifestName}\` in the archive lists the files, with object and hash, and what was left out. Names that several objects have are numbered: \`scan (2).pdf\`. The same objects give the same bytes. Not resumable: an archive that breaks off is asked for again.`,
  scopes: ['objects:download'],
  rate: 'read',
  idempotent: false,
  concurrency: mostForOneKey,
  body: ArchiveWish,
  produces: ['application/zip'],
  responses: { 200: null },
  problems: ['policy_denied', 'state_conflict', 'reference_not_found', 'payload_too_large'],
  // The files that a policy wants without their metadata are made by workers, with no transaction open.
  prepare: async ({ deps, origin, key, body }) => {
    const goOn = body.on_error === 'continue';
    for (const until = Date.now() + patienceMs; ; ) {
      const missing = await inProject(deps.database, key.projectId, async (tx) => {
        const chosen = await chooseArchive(tx, origin, body.ids, goOn);
        for (const [id, variant] of chosen.missing) {
          await requestVariant(tx, key.projectId, id, variant);
        }
        return chosen.missing.length;
      });
      if (missing === 0) return;
      deps.wake();
      if (Date.now() >= until) throw notReady(missing);
      await wait(lookMs);
    }
  },
  handler: async ({ tx, deps, origin, key, body }) => {
    // Asked once more: what a policy says now is what counts.
    const goOn = body.on_error === 'continue';
    const { files, leftOut, missing } = await chooseArchive(tx, origin, body.ids, goOn);
    if (missing.length > 0) throw notReady(missing.length);
    const entries = entriesOf(deps.storage, files, leftOut);
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total > limits.archive_bytes) {
      throw new Problem(
        'payload_too_large',
        `The files are ${total} bytes together; an archive holds at most ${limits.archive_bytes}. Ask for fewer \`ids\`.`,
      );
    }
    // Refused here already, though the place is taken when the first byte is asked for.
    occupy(sending, key.keyId, mostForOneKey, mostInAll)();
    return stream(200, Readable.from(counted(key.keyId, entries), { objectMode: false }), {
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="objects.zip"',
      'Content-Length': String(zipLength(entries)),
      'Cache-Control': 'private, no-store',
    });
  },
});

/** The archive, which counts as open until it is sent or the client is gone. */
async function* counted(keyId: string, entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const release = occupy(sending, keyId, mostForOneKey, mostInAll);
  try {
    yield* zip(entries);
  } finally {
    release();
  }
}

function entriesOf(
  storage: Storage,
  files: readonly ArchivedFile[],
  leftOut: readonly LeftOut[],
): ZipEntry[] {
  const nameOf = uniqueNames([manifestName]);
  const named = files.map((file) => ({ ...file, name: nameOf(file.delivery.object.filename) }));
  const manifest = Buffer.from(
    `${JSON.stringify(
      {
        files: named.map(({ id, name, bytes, sha256, delivery: { object } }) => ({
          object_id: id,
          delivered_object_id: object.id,
          name,
          mime: object.mime,
          bytes,
          sha256,
        })),
        left_out: leftOut.map(({ id, code, detail }) => ({ object_id: id, code, detail })),
      },
      null,
      2,
    )}\n`,
  );
  return [
    { name: manifestName, bytes: manifest.length, open: async () => Readable.from([manifest]) },
    ...named.map(({ name, bytes, sha256, delivery: { object } }) => {
      return { name, bytes, open: () => storage.open(object.projectId, sha256) };
    }),
  ];
}

function notReady(count: number): Problem {
  return new Problem(
    'state_conflict',
    `${count} of the files are being prepared for delivery without their metadata; ask again.`,
    { retryable: true, headers: { 'Retry-After': '5' } },
  );
}
