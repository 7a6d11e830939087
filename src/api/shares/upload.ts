import type { IncomingMessage } from 'node:http';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { invalid, Problem } from '@scriptorium/contracts/problems';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import { retainBytes } from '../../library/bytes/retain.ts';
import { addMember } from '../../library/collections/members/edit.ts';
import { sniff } from '../../library/files/sniff.ts';
import { certainFacts, lookThrough } from '../../library/files/traits.ts';
import { createFromUpload } from '../../library/objects/arrival/upload.ts';
import { collectionIn } from '../../library/shares/contents.ts';
import { countUse } from '../../library/shares/use.ts';
import { known } from '../../policies/decision/fact-table.ts';
import { matchesAny } from '../../policies/decision/mime-pattern.ts';
import { rejectDeniedUpload } from '../../policies/enforce.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { departure } from '../connections/responses.ts';
import { allowBody } from '../requests/body.ts';
import { headerValues } from '../requests/headers.ts';
import { textFault } from '../requests/json.ts';
import { announcedFacts, announcedFilename } from '../uploads/announced.ts';
import { hearOut } from '../uploads/bytes.ts';
import { decodeFilenameHeader } from '../uploads/header-values.ts';
import { type ReceivedUpload, receiveUpload, storageProblem } from '../uploads/receive.ts';
import { sendPage, wantsJson } from './page.ts';
import type { Visit } from './serve.ts';
import { receivedPage } from './upload-page.ts';
import { closed, entryRequired, isVisiting, needsEntry, requireOpen } from './visit.ts';

/** The header with the name given by a visitor, percent-encoded. */
const nameHeader = 'x-uploader-name';
const nameCharacters = 100;

/** Accepts a file of a visitor: a form with one file, or its bytes, as in `POST /v1/objects`. */
export async function takeUpload(visit: Visit): Promise<void> {
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
    const uploader = uploaderOf(ctx.req);
    const early = { filename: announcedFilename(ctx.req), sha256: null };
    rejectDeniedUpload(policies, origin, announcedFacts(ctx.req), early);
    const { projectId } = share;
    upload = await receiveUpload({
      request: ctx.req,
      readable: () => {
        allowBody(ctx.req, ctx.res);
        return ctx.req;
      },
      storage: deps.storage,
      projectId,
      signal: departure(ctx.res),
      maxBytes,
    });
    const { received, filename, declaredMime } = upload;
    // Policies apply by tags, so visitors cannot set any.
    if (!received || upload.faults.length > 0 || upload.described) throw invalid(faultsOf(upload));
    const hints = { filename, declaredMime, bytes: received.bytes };
    const sniffed = sniff(received.head, hints);
    const certain = certainFacts(sniffed);
    if (certain.mime !== undefined) requireAccepted(share, certain.mime);
    const facts = { ...certain, bytes: received.bytes, tags: [] };
    rejectDeniedUpload(policies, origin, facts, { filename, sha256: received.sha256 });
    await received.commit();
    const found = await lookThrough(sniffed, hints, (range) =>
      deps.storage.open(projectId, received.sha256, range),
    );
    requireAccepted(share, found.mime);
    await inShare(async (tx, now, from) => {
      await requireUploadable(visit, tx, now);
      const content = await retainBytes(tx, projectId, received);
      const { object, imageId } = await createFromUpload(tx, from, {
        ...{ filename, ...found, content, tags: [] },
        metadata: { share_id: now.id, ...(uploader && { uploaded_by: uploader }) },
        onDuplicate: 'reuse',
      });
      if (now.collectionId) await addTo(tx, from, now.collectionId, object.id, imageId);
      // Last, because other uploads of the link wait for it.
      if (!(await countUse(tx, now, 'uploads'))) throw closed(fullText);
    });
    deps.wake();
    ctx.status = 201;
    if (!wantsJson(ctx)) return sendPage(ctx, 201, receivedPage(filename, base));
    ctx.body = JSON.stringify({ filename, mime: found.mime, bytes: received.bytes });
    ctx.set('Content-Type', 'application/json');
  } catch (error) {
    hearOut(ctx.req, ctx.res);
    throw storageProblem(error, maxBytes);
  } finally {
    await upload?.received?.discard();
  }
}

const fullText = 'The link does not accept more files.';

/** @throws Problem 404, 403 or 410 unless a visitor may upload by this link now */
async function requireUploadable({ ctx, deps }: Visit, tx: Tx, share: Share): Promise<void> {
  if (share.kind !== 'upload') throw new Problem('not_found', 'The link does not accept uploads.');
  if (share.state === 'used_up') throw closed(fullText);
  requireOpen(share, false);
  if (needsEntry(share) && !isVisiting(ctx, deps.signer, share)) throw entryRequired(share);
  if (share.collectionId === null) return;
  const collection = await collectionIn(tx, share);
  if (collection?.kind !== 'manual') throw closed();
}

async function addTo(
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
  if (!upload.described) return upload.faults;
  const detail = 'The form must contain only a file.';
  return [...upload.faults, { pointer: '', code: 'unknown_field', detail }];
}

/** The name given by a visitor; null without one. */
function uploaderOf(request: IncomingMessage): string | null {
  const [given = ''] = headerValues(request, nameHeader);
  const name = decodeFilenameHeader(given).trim();
  if (name === '') return null;
  if (!textFault(name) && name.length <= nameCharacters) return name;
  const detail = `The name must be text of at most ${nameCharacters} characters.`;
  throw invalid([{ header: 'X-Uploader-Name', code: 'wrong_format', detail }]);
}
