import type { IncomingMessage } from 'node:http';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem, validationFailed } from '@scriptorium/contracts/problems';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import { retainBytes } from '../../library/bytes/retain.ts';
import { addMember } from '../../library/collections/members/edit.ts';
import { sniff } from '../../library/files/sniff.ts';
import { certainFacts, readTypeAndTraits } from '../../library/files/traits.ts';
import { createFromUpload } from '../../library/objects/arrival/upload.ts';
import { findSharedCollection } from '../../library/shares/contents.ts';
import { countUse } from '../../library/shares/use.ts';
import { known } from '../../policies/decision/fact-table.ts';
import { matchesAny } from '../../policies/decision/mime-pattern.ts';
import { rejectDeniedUpload } from '../../policies/enforce.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { disconnectSignal } from '../connections/responses.ts';
import { sendContinue } from '../requests/body.ts';
import { headerValues } from '../requests/headers.ts';
import { textFault } from '../requests/json.ts';
import { discardBody } from '../uploads/bytes.ts';
import { readDeclaredFacts, readDeclaredFilename } from '../uploads/declared-facts.ts';
import { decodeFilenameHeader } from '../uploads/header-values.ts';
import { type ReceivedUpload, receiveUpload, storageProblem } from '../uploads/receive.ts';
import { sendPage, wantsJson } from './page.ts';
import type { Visit } from './serve.ts';
import { receivedPage } from './upload-page.ts';
import { entryRequired, isVisiting, needsEntry, requireOpen, shareClosed } from './visit.ts';

/** The header with the name given by a visitor, percent-encoded. */
const uploaderNameHeader = 'x-uploader-name';
const maxNameLength = 100;

/** Accepts a file from a visitor: a form with one file, or its bytes, as in `POST /v1/objects`. */
export async function receiveShareUpload(visit: Visit): Promise<void> {
  const { ctx, deps, base, inShare } = visit;
  let upload: ReceivedUpload | null = null;
  let maxBytes: number = limits.direct_upload_bytes;
  try {
    const { share, origin, policies } = await inShare(async (tx, found, from) => {
      await requireUploadable(visit, tx, found);
      return {
        share: found,
        origin: from,
        policies: await loadPolicies(tx, found.projectId, 'upload'),
      };
    });
    maxBytes = share.maxBytes ?? maxBytes;
    const uploader = readUploaderName(ctx.req);
    const declared = { filename: readDeclaredFilename(ctx.req), sha256: null };
    rejectDeniedUpload(policies, origin, readDeclaredFacts(ctx.req), declared);
    const { projectId } = share;
    upload = await receiveUpload({
      request: ctx.req,
      readable: () => {
        sendContinue(ctx.req, ctx.res);
        return ctx.req;
      },
      storage: deps.storage,
      projectId,
      signal: disconnectSignal(ctx.res),
      maxBytes,
    });
    const { received, filename, declaredMime } = upload;
    // Policies can depend on tags, so visitors must not set tags.
    if (!received || upload.faults.length > 0 || upload.hasDetails)
      throw validationFailed(faultsOf(upload));
    const hints = { filename, declaredMime, bytes: received.bytes };
    const sniffed = sniff(received.head, hints);
    const certain = certainFacts(sniffed);
    if (certain.mime !== undefined) requireAccepted(share, certain.mime);
    const facts = { ...certain, bytes: received.bytes, tags: [] };
    rejectDeniedUpload(policies, origin, facts, { filename, sha256: received.sha256 });
    await received.commit();
    const traits = await readTypeAndTraits(sniffed, hints, (range) =>
      deps.storage.open(projectId, received.sha256, range),
    );
    requireAccepted(share, traits.mime);
    await inShare(async (tx, currentShare, from) => {
      await requireUploadable(visit, tx, currentShare);
      const content = await retainBytes(tx, projectId, received);
      const { object, imageId } = await createFromUpload(tx, from, {
        filename,
        ...traits,
        content,
        tags: [],
        metadata: { share_id: currentShare.id, ...(uploader && { uploaded_by: uploader }) },
        onDuplicate: 'reuse',
      });
      if (currentShare.collectionId)
        await addToCollection(tx, from, currentShare.collectionId, object.id, imageId);
      // Last, because it locks the share, for which other uploads wait.
      if (!(await countUse(tx, currentShare, 'uploads'))) throw shareClosed(uploadLimitDetail);
    });
    deps.wake();
    ctx.status = 201;
    if (!wantsJson(ctx)) return sendPage(ctx, 201, receivedPage(filename, base));
    ctx.body = JSON.stringify({ filename, mime: traits.mime, bytes: received.bytes });
    ctx.set('Content-Type', 'application/json');
  } catch (error) {
    discardBody(ctx.req, ctx.res);
    throw storageProblem(error, maxBytes);
  } finally {
    await upload?.received?.discard();
  }
}

const uploadLimitDetail = 'The link does not accept more files.';

/** @throws Problem 404, 403 or 410 if visitors cannot currently upload through the link */
async function requireUploadable({ ctx, deps }: Visit, tx: Tx, share: Share): Promise<void> {
  if (share.kind !== 'upload') throw new Problem('not_found', 'The link does not accept uploads.');
  if (share.state === 'used_up') throw shareClosed(uploadLimitDetail);
  requireOpen(share, false);
  if (needsEntry(share) && !isVisiting(ctx, deps.signer, share)) throw entryRequired(share);
  if (share.collectionId === null) return;
  const collection = await findSharedCollection(tx, share);
  if (collection?.kind !== 'manual') throw shareClosed();
}

async function addToCollection(
  tx: Tx,
  origin: Origin,
  collectionId: string,
  objectId: string,
  imageId: string | null,
): Promise<void> {
  await addMember(
    tx,
    origin,
    collectionId,
    imageId
      ? { resource_type: 'image', resource_id: imageId }
      : { resource_type: 'object', resource_id: objectId },
    () => undefined,
  );
}

/** @throws Problem 415 for a type that the link does not accept */
function requireAccepted({ accept }: Share, mime: string): void {
  if (accept.length === 0 || matchesAny(accept, known(mime), known([])) === true) return;
  throw new Problem(
    'unsupported_media_type',
    `The file is of the type ${mime}. Accepted: ${accept.join(', ')}.`,
  );
}

function faultsOf(upload: ReceivedUpload) {
  if (!upload.hasDetails) return upload.faults;
  const detail = 'The form must contain only a file.';
  return [...upload.faults, { pointer: '', code: 'unknown_field', detail }];
}

/** The name given by a visitor; null without one. */
function readUploaderName(request: IncomingMessage): string | null {
  const [given = ''] = headerValues(request, uploaderNameHeader);
  const name = decodeFilenameHeader(given).trim();
  if (name === '') return null;
  if (!textFault(name) && name.length <= maxNameLength) return name;
  const detail = `The name must be text of at most ${maxNameLength} characters.`;
  throw validationFailed([{ header: 'X-Uploader-Name', code: 'wrong_format', detail }]);
}
