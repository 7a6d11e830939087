import type { Origin } from '../../contracts/origin.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { Upload } from '../../entities/upload.ts';
import { HEAD_BYTES, type Received, type Storage, StorageError } from '../../storage/storage.ts';
import { holdBytes, lockBytes } from '../bytes/hold.ts';
import { findScripts, type Sniffed, sniff } from '../files/sniff.ts';
import { createFromUpload } from '../objects/upload.ts';
import { type Arriving, judgeUpload, type Rejection } from './judge.ts';
import { lockUpload, policyDenied, requireAlive, uploadExpired } from './load.ts';

/** What going on with an upload needs; whoever calls holds the upload's lock (locks.ts). */
export interface UploadWork {
  storage: Storage;
  origin: Origin;
  /** Runs work in a transaction of its own behind the project's wall. */
  inProject<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Tells by its first bytes what an upload is, and has the policies look at it.
 * @throws Problem 403 `policy_denied`, after the upload is rejected and its bytes are gone
 */
export async function inspectUpload(work: UploadWork, upload: Upload): Promise<void> {
  const { partials } = work.storage;
  const sniffed = sniffUpload(upload, await partials.head(upload.projectId, upload.id, HEAD_BYTES));
  const file = arriving(upload, 'begun', sniffed, sniffed.scanNeeded ? null : sniffed.scripted);
  const rejection = await work.inProject(async (tx) => {
    const found = await judgeUpload(tx, file);
    if (found) await reject(tx, upload, found);
    else {
      await prepared(tx, 'UPDATE upload SET mime = $3 WHERE project_id = $1 AND id = $2', [
        upload.projectId,
        upload.id,
        sniffed.mime,
      ]);
    }
    return found;
  });
  if (rejection) {
    await partials.drop(upload.projectId, upload.id);
    throw policyDenied(rejection);
  }
  upload.mime = sniffed.mime;
}

/**
 * Makes the object of an upload that has wholly arrived. Whoever is killed on the way leaves what the
 * next call goes on with: the hash is written down before the bytes move to where it says.
 * @returns the upload, completed
 * @throws Problem 403 `policy_denied`, 410 `upload_expired`
 */
export async function finishUpload(work: UploadWork, upload: Upload): Promise<Upload> {
  const { storage, inProject, origin } = work;
  const { projectId, id } = upload;
  const received = await keepBytes(work, upload);
  const { sha256 } = received;
  const sniffed = sniffUpload(upload, await readHead(storage, projectId, sha256));
  const scripted = sniffed.scanNeeded
    ? await findScripts(await storage.open(projectId, sha256))
    : sniffed.scripted;
  const finished = await inProject(async (tx) => {
    const locked = await lockUpload(tx, projectId, id);
    if (!locked) throw uploadExpired(id);
    if (locked.state !== 'uploading') return locked;
    const rejection = await judgeUpload(tx, arriving(locked, 'whole', sniffed, scripted));
    if (rejection) return reject(tx, locked, rejection);
    const { object, deduplicated } = await createFromUpload(tx, origin, {
      filename: locked.filename,
      mime: sniffed.mime,
      content: await holdBytes(tx, projectId, received),
      tags: locked.tags,
      metadata: locked.metadata,
      onDuplicate: locked.onDuplicate,
    });
    send(
      tx,
      `UPDATE upload SET state = 'completed', object_id = $3, deduplicated = $4, mime = $5,
         sha256 = NULL
       WHERE project_id = $1 AND id = $2`,
      [projectId, id, object.id, deduplicated, sniffed.mime],
    );
    const end = { objectId: object.id, deduplicated, mime: sniffed.mime };
    return { ...locked, ...end, sha256: null, state: 'completed' as const };
  });
  await storage.partials.drop(projectId, id);
  requireAlive(finished);
  return finished;
}

/** Hashes what has arrived and keeps it under its hash, unless an earlier run has. */
async function keepBytes(work: UploadWork, upload: Upload): Promise<Received> {
  const { storage, inProject } = work;
  const { projectId, id } = upload;
  if (upload.sha256 !== null) {
    const kept = await storage.stat(projectId, upload.sha256);
    if (kept?.bytes === upload.length) return keptAlready(upload.sha256, upload.length);
  }
  try {
    const received = await storage.partials.complete(projectId, id);
    // The reference comes before the bytes: the sweep leaves them from their first moment on.
    await inProject(async (tx) => {
      await lockBytes(tx, projectId, received.sha256);
      await prepared(
        tx,
        `UPDATE upload SET sha256 = $3 WHERE project_id = $1 AND id = $2 AND state = 'uploading'`,
        [projectId, id, received.sha256],
      );
    });
    await received.commit();
    return received;
  } catch (error) {
    // Its time was over in the meantime, and the bytes were removed.
    if (error instanceof StorageError && error.code === 'not_found') throw uploadExpired(id);
    throw error;
  }
}

/** Bytes that an earlier run has put where they belong, and the upload's row keeps there. */
function keptAlready(sha256: string, bytes: number): Received {
  return {
    sha256,
    bytes,
    head: Buffer.alloc(0),
    commit: async () => undefined,
    discard: async () => undefined,
  };
}

async function readHead(storage: Storage, projectId: string, sha256: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await storage.open(projectId, sha256, {
    start: 0,
    end: HEAD_BYTES - 1,
  }))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** By as many bytes as a direct upload is told by: the way that a file came must not matter. */
function sniffUpload(upload: Upload, head: Buffer): Sniffed {
  return sniff(head, {
    filename: upload.filename,
    declaredMime: upload.declaredMime ?? undefined,
    bytes: upload.length,
  });
}

function arriving(
  upload: Upload,
  moment: Arriving['moment'],
  { mime, executable }: Sniffed,
  scripted: boolean | null,
): Arriving {
  const { projectId, filename, length, tags } = upload;
  return { moment, projectId, filename, bytes: length, tags, mime, executable, scripted };
}

async function reject(tx: Tx, upload: Upload, rejection: Rejection): Promise<Upload> {
  await prepared(
    tx,
    `UPDATE upload SET state = 'rejected', rejection = $3, sha256 = NULL
     WHERE project_id = $1 AND id = $2 AND state = 'uploading'`,
    [upload.projectId, upload.id, JSON.stringify(rejection)],
  );
  return { ...upload, state: 'rejected', rejection, sha256: null };
}
