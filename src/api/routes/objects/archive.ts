import type { Origin } from '@scriptorium/contracts/origin';
import { ArchiveWish } from '@scriptorium/contracts/wire/library/objects';
import { inProject } from '../../../db/transaction.ts';
import { downloadOf } from '../../../library/downloads/delivered.ts';
import { uniqueNames } from '../../../library/files/unique-names.ts';
import {
  type ArchivedFile,
  chooseArchive,
  type LeftOut,
} from '../../../library/objects/archive.ts';
import { requestVariant, strippedVariant } from '../../../library/variants.ts';
import type { Deps } from '../../deps.ts';
import {
  archiveReply,
  awaitCopies,
  fileEntry,
  maxPerKey,
  notReady,
  requireSize,
  type SizedEntry,
  textEntry,
} from '../../downloads/archive.ts';
import { route } from '../../frame/route.ts';

const manifestName = 'manifest.json';

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
  concurrency: maxPerKey,
  body: ArchiveWish,
  produces: ['application/zip'],
  responses: { 200: null },
  problems: ['policy_denied', 'state_conflict', 'reference_not_found', 'payload_too_large'],
  prepare: async ({ deps, origin, key, body, signal }) => {
    const goOn = body.on_error === 'continue';
    await awaitCopies(
      () =>
        inProject(deps.database, key.projectId, async (tx) => {
          const chosen = await chooseArchive(tx, origin, body.ids, { goOn });
          for (const [id, variant] of chosen.missing) {
            await requestVariant(tx, key.projectId, id, strippedVariant(id, variant));
          }
          return chosen.missing.length;
        }),
      deps.wake,
      signal,
    );
  },
  handler: async ({ tx, deps, origin, key, body }) => {
    // Evaluated again, since policies may have changed in the meantime.
    const goOn = body.on_error === 'continue';
    const { files, leftOut, missing } = await chooseArchive(tx, origin, body.ids, { goOn });
    if (missing.length > 0) throw notReady(missing.length);
    requireSize(files);
    const entries = entriesOf({ deps, origin }, files, leftOut);
    const holder = { projectId: key.projectId, id: key.caller.id };
    return archiveReply(holder, entries, 'attachment; filename="objects.zip"');
  },
});

interface Archiving {
  deps: Pick<Deps, 'storage' | 'downloadCounts'>;
  origin: Origin;
}

/** A file counts as downloaded once the archive has reached it. */
function countedEntry({ deps, origin }: Archiving, file: ArchivedFile & { name: string }) {
  const { id, delivery, name } = file;
  const entry = fileEntry(deps.storage, name, file);
  const open = async () => {
    const bytes = await entry.open();
    deps.downloadCounts.count(origin, downloadOf(id, delivery, 'archive'));
    return bytes;
  };
  return { ...entry, open };
}

function entriesOf(
  call: Archiving,
  files: readonly ArchivedFile[],
  leftOut: readonly LeftOut[],
): SizedEntry[] {
  const nameOf = uniqueNames([manifestName]);
  const named = files.map((file) => ({ ...file, name: nameOf(file.delivery.object.filename) }));
  const manifest = {
    files: named.map(({ id, name, bytes, sha256, delivery: { object } }) => ({
      object_id: id,
      delivered_object_id: object.id,
      name,
      mime: object.mime,
      bytes,
      sha256,
    })),
    left_out: leftOut.map(({ id, code, detail }) => ({ object_id: id, code, detail })),
  };
  return [
    textEntry(manifestName, `${JSON.stringify(manifest, null, 2)}\n`),
    ...named.map((file) => countedEntry(call, file)),
  ];
}
