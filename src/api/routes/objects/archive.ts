import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../../contracts/limits.ts';
import { pluralise } from '../../../contracts/pluralise.ts';
import { Problem } from '../../../contracts/problems.ts';
import { ArchiveWish } from '../../../contracts/wire/library/objects.ts';
import { inProject } from '../../../db/transaction.ts';
import { uniqueNames } from '../../../library/files/unique-names.ts';
import { type ZipEntry, zip, zipLength } from '../../../library/files/zip-writer.ts';
import {
  type ArchivedFile,
  chooseArchive,
  type LeftOut,
} from '../../../library/objects/archive.ts';
import { requestVariant, strippedVariant } from '../../../library/variants.ts';
import type { Storage } from '../../../storage/storage.ts';
import { occupy } from '../../frame/admit.ts';
import { stream } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';

const manifestName = 'manifest.json';
/** The maximum number of concurrent archives of one key, and of this process. */
const mostForOneKey = 4;
const mostInAll = 32;
/** How long a request waits for copies without metadata, and how often it checks. */
const patienceMs = 20_000;
const lookMs = 500;

/** An entry whose length is known, so that the length of the archive is. */
type SizedEntry = ZipEntry & { bytes: number };

const sending = new Map<string, number>();

export const archiveObjects = route({
  method: 'POST',
  path: '/v1/objects/archive',
  operationId: 'archiveObjects',
  tag: 'Objects',
  summary: 'Download many objects as one ZIP file.',
  description: `Each file is what a download of the object would deliver, so policies may remove metadata or substitute a redaction. Policies are evaluated for all objects before the first byte. If one is denied the request is rejected, or with \`on_error\` set to \`continue\` the object is left out. \`${manifestName}\` in the archive lists the files with object and hash, and the objects left out. Duplicate names are numbered: \`scan (2).pdf\`. The same objects produce the same bytes. The download cannot be resumed.`,
  scopes: ['objects:download'],
  rate: 'read',
  idempotent: false,
  concurrency: mostForOneKey,
  body: ArchiveWish,
  produces: ['application/zip'],
  responses: { 200: null },
  problems: ['policy_denied', 'state_conflict', 'reference_not_found', 'payload_too_large'],
  // Workers make the copies without metadata that policies require; no transaction is open
  // meanwhile.
  prepare: async ({ deps, origin, key, body }) => {
    const goOn = body.on_error === 'continue';
    for (const until = Date.now() + patienceMs; ; ) {
      const missing = await inProject(deps.database, key.projectId, async (tx) => {
        const chosen = await chooseArchive(tx, origin, body.ids, goOn);
        for (const [id, variant] of chosen.missing) {
          await requestVariant(tx, key.projectId, id, strippedVariant(id, variant));
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
    // Evaluated again, since policies may have changed in the meantime.
    const goOn = body.on_error === 'continue';
    const { files, leftOut, missing } = await chooseArchive(tx, origin, body.ids, goOn);
    if (missing.length > 0) throw notReady(missing.length);
    const entries = entriesOf(deps.storage, files, leftOut);
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total > limits.archive_bytes) {
      throw new Problem(
        'payload_too_large',
        `The files have ${pluralise(total, 'byte')} in total. The maximum for an archive is ${pluralise(limits.archive_bytes, 'byte')}. Send fewer \`ids\`.`,
      );
    }
    // Only checks the limit here. The slot is taken when the stream starts.
    occupy(sending, key.caller.id, mostForOneKey, mostInAll)();
    return stream(200, Readable.from(counted(key.caller.id, entries), { objectMode: false }), {
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="objects.zip"',
      'Content-Length': String(zipLength(entries)),
      'Cache-Control': 'private, no-store',
    });
  },
});

/** Streams the archive, counted as open until it is sent or the client has left. */
async function* counted(callerId: string, entries: readonly SizedEntry[]): AsyncGenerator<Buffer> {
  const release = occupy(sending, callerId, mostForOneKey, mostInAll);
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
): SizedEntry[] {
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
    `${pluralise(count, 'file')} without metadata ${count === 1 ? 'is' : 'are'} still being prepared. Retry in a moment.`,
    { retryable: true, headers: { 'Retry-After': '5' } },
  );
}
