import type { Origin } from '@scriptorium/contracts/origin';
import { ArchiveRequest } from '@scriptorium/contracts/wire/library/objects';
import { inProject } from '../../../db/transaction.ts';
import { downloadOf } from '../../../library/downloads/download-of.ts';
import { createUniqueNamer } from '../../../library/files/unique-names.ts';
import {
  type ArchivedFile,
  chooseArchive,
  type OmittedObject,
} from '../../../library/objects/archive.ts';
import { requestVariant, strippedVariant } from '../../../library/variants.ts';
import type { Deps } from '../../deps.ts';
import {
  archiveReply,
  awaitCopies,
  copiesNotReady,
  fileEntry,
  maxArchivesPerCaller,
  requireArchiveSize,
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
  concurrency: maxArchivesPerCaller,
  body: ArchiveRequest,
  produces: ['application/zip'],
  responses: { 200: null },
  problems: ['policy_denied', 'state_conflict', 'reference_not_found', 'payload_too_large'],
  prepare: async ({ deps, origin, key, body, signal }) => {
    const continueOnError = body.on_error === 'continue';
    await awaitCopies(
      () =>
        inProject(deps.database, key.projectId, async (tx) => {
          const chosen = await chooseArchive(tx, origin, body.ids, { goOn: continueOnError });
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
    const continueOnError = body.on_error === 'continue';
    const { files, leftOut, missing } = await chooseArchive(tx, origin, body.ids, {
      goOn: continueOnError,
    });
    if (missing.length > 0) throw copiesNotReady(missing.length);
    requireArchiveSize(files);
    const entries = createEntries({ deps, origin }, files, leftOut);
    const caller = { projectId: key.projectId, id: key.caller.id };
    return archiveReply(caller, entries, 'attachment; filename="objects.zip"');
  },
});

interface ArchiveCall {
  deps: Pick<Deps, 'storage' | 'downloadCounts'>;
  origin: Origin;
}

/** Counts a file as downloaded when the archive starts to send it. */
function createCountedEntry({ deps, origin }: ArchiveCall, file: ArchivedFile & { name: string }) {
  const { id, delivery, name } = file;
  const entry = fileEntry(deps.storage, name, file);
  const open = async () => {
    const bytes = await entry.open();
    deps.downloadCounts.count(origin, downloadOf(id, delivery, 'archive'));
    return bytes;
  };
  return { ...entry, open };
}

function createEntries(
  call: ArchiveCall,
  files: readonly ArchivedFile[],
  leftOut: readonly OmittedObject[],
): SizedEntry[] {
  const uniqueName = createUniqueNamer([manifestName]);
  const namedFiles = files.map((file) => ({
    ...file,
    name: uniqueName(file.delivery.object.filename),
  }));
  const manifest = {
    files: namedFiles.map(({ id, name, bytes, sha256, delivery: { object } }) => ({
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
    ...namedFiles.map((file) => createCountedEntry(call, file)),
  ];
}
