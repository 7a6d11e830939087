import type { Readable } from 'node:stream';
import { isId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { renditionMimes } from '@scriptorium/contracts/wire/library/images';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import { downloadOf } from '../../library/downloads/download-of.ts';
import { addDownloads } from '../../library/downloads/queries.ts';
import { contentDisposition } from '../../library/files/filename.ts';
import { createUniqueNamer } from '../../library/files/unique-names.ts';
import { findRendition, requireRenditions } from '../../library/images/renditions.ts';
import { chooseArchive } from '../../library/objects/archive.ts';
import type { DownloadContent } from '../../library/objects/delivery.ts';
import {
  drawTaskPayload,
  pageVariant,
  previewView,
  rejectTooManyDrawings,
} from '../../library/objects/pages/page-image.ts';
import {
  findSharedCollection,
  findSharedFile,
  type SharedFile,
} from '../../library/shares/contents.ts';
import { chooseDeliveryByShare, chooseShownByShare } from '../../library/shares/policies.ts';
import { countUse } from '../../library/shares/use.ts';
import { requestVariant, strippedVariant } from '../../library/variants.ts';
import { record } from '../../outbox/record.ts';
import { disconnectSignal, requireConnected } from '../connections/responses.ts';
import {
  archiveReply,
  awaitCopies,
  copiesNotReady,
  fileEntry,
  requireArchiveSize,
  textEntry,
} from '../downloads/archive.ts';
import { awaitVariant } from '../downloads/await-variant.ts';
import { deliver } from '../downloads/deliver.ts';
import { storedBytesReply } from '../downloads/stored-bytes.ts';
import type { Reply } from '../frame/reply.ts';
import { sendReply } from '../frame/responses/send.ts';
import { collectionJson, fileJson, shareJson, uploadJson } from './json.ts';
import { sendJson, sendPage, wantsJson } from './page.ts';
import { presentFile, readCollection, readFiles } from './read.ts';
import type { Visit } from './serve.ts';
import { uploadPage } from './upload-page.ts';
import { collectionPage, collectionUrl, filePage, neighboursOf } from './views.ts';
import { isCounted, shareClosed, signDownload } from './visit.ts';

/** Shows the target of a request's path. */
export async function showTarget(visit: Visit): Promise<void> {
  switch (visit.target.kind) {
    case 'root':
    case 'collection':
    case 'file':
      return showContent(visit);
    case 'preview':
      return showPreview(visit);
    case 'download':
      return downloadFile(visit);
    case 'uploads':
      throw targetNotFound();
    case 'archive':
      return downloadArchive(visit);
  }
}

async function showContent({ ctx, deps, base, target, inShare }: Visit): Promise<void> {
  const { query } = ctx;
  const from = { cursor: singleValue(query.cursor), collections: singleValue(query.collections) };
  const content = await inShare(async (tx, share, origin) => {
    if (share.kind === 'upload') {
      if (target.kind !== 'root') throw targetNotFound();
      if (share.collectionId && !(await findSharedCollection(tx, share)))
        throw shareClosed(unavailableDetail);
      return { share, upload: true as const };
    }
    const objectId = target.kind === 'file' ? target.id : share.objectId;
    if (target.kind !== 'collection' && objectId) {
      const file = await requireFile(tx, share, objectId);
      const shown = await chooseShownByShare(tx, origin, share, file.object);
      // The page of the collection from which the file was opened.
      const place = singleValue(query.collection);
      const collection =
        share.objectId === null && place !== null && isId('collection', place)
          ? await findSharedCollection(tx, share, place)
          : null;
      const list = collection
        ? await readCollection(tx, deps.signer, { share, origin }, collection, from)
        : null;
      return { share, file: presentFile(file, shown), list };
    }
    const collection = await findSharedCollection(tx, share, target.id ?? share.collectionId);
    if (!collection)
      throw target.kind === 'root' ? shareClosed(unavailableDetail) : targetNotFound();
    const view = await readCollection(tx, deps.signer, { share, origin }, collection, from);
    return { share, view };
  });
  const { share } = content;
  if (content.upload) {
    if (wantsJson(ctx)) sendJson(ctx, uploadJson(share, base));
    else sendPage(ctx, 200, uploadPage(share, base));
    return;
  }
  if (content.view) {
    if (wantsJson(ctx)) sendJson(ctx, collectionJson(share, content.view, base));
    else sendPage(ctx, 200, collectionPage(share, content.view, base));
    return;
  }
  const { file, list } = content;
  const isSingleFile = share.objectId !== null;
  if (wantsJson(ctx)) sendJson(ctx, { ...shareJson(share), file: fileJson(share, file, base) });
  else
    sendPage(
      ctx,
      200,
      filePage(share, file, {
        base,
        isAlone: isSingleFile,
        back: isSingleFile ? null : list ? collectionUrl(list, base) : base,
        neighbours: list ? neighboursOf(list, file.id, base) : { previous: null, next: null },
      }),
    );
}

const unavailableDetail = 'The content of the link is no longer available.';

function targetNotFound(): Problem {
  return new Problem('not_found', 'Nothing is shared at this path.');
}

/** @throws Problem 404, or 410 if the file is the link's only target */
async function requireFile(tx: Tx, share: Share, objectId: string): Promise<SharedFile> {
  const file = await findSharedFile(tx, share, objectId);
  if (file) return file;
  throw share.objectId === objectId ? shareClosed(unavailableDetail) : targetNotFound();
}

/** Sends a picture of a file: a rendition of an image, or its first page. */
async function showPreview(visit: Visit): Promise<void> {
  const { ctx, deps, target, inShare } = visit;
  const isLarge = ctx.query.size === 'large';
  const found = await inShare(async (tx, share, origin) => {
    const file = await requireFile(tx, share, target.id ?? '');
    const shown = await chooseShownByShare(tx, origin, share, file.object);
    const isOriginal = shown.id === file.object.id;
    const image =
      isOriginal && file.imageId
        ? await findRendition(tx, share.projectId, file.imageId, isLarge ? 'w1280' : 'w320')
        : null;
    return { share, shown, image, hasPreview: presentFile(file, shown).hasPreview };
  });
  const { share, shown, image } = found;
  if (!found.hasPreview) throw targetNotFound();
  const { projectId } = share;
  const commonHeaders = {
    'Content-Disposition': 'inline',
    // Previews never change, but the link can be revoked.
    'Cache-Control': 'private, max-age=600',
    Vary: 'Accept, Cookie',
  };
  const request = { method: ctx.method, headers: ctx.req.headers, storage: deps.storage };
  if (image) {
    requireRenditions(image);
    const offers = renditionMimes.filter((mime) => image.formats.some((of) => of.mime === mime));
    const mime = ctx.accepts([...offers]) || offers[0];
    const { sha256, bytes } = image.formats.find((one) => one.mime === mime)!;
    const type = { ...commonHeaders, 'Content-Type': String(mime) };
    sendReply(
      ctx,
      await storedBytesReply({ ...request, projectId, sha256, bytes, responseHeaders: type }),
    );
    return;
  }
  const view = isLarge ? { ...previewView, width: 1280 } : previewView;
  const waiting = { deps, signal: disconnectSignal(ctx.res), inProject: inProjectOf(visit) };
  const { sha256, bytes } = await awaitVariant(waiting, shown, {
    variant: pageVariant(view),
    task: { kind: 'object.draw', payload: drawTaskPayload(shown.id, view) },
    timeoutDetail: 'The preview is being prepared. Retry in a moment.',
    toProblem: () => new Problem('state_conflict', 'The file has no preview.'),
    beforeRequest: (tx) => rejectTooManyDrawings(tx, projectId),
  });
  requireConnected(ctx.res);
  const type = { ...commonHeaders, 'Content-Type': view.mime };
  sendReply(
    ctx,
    await storedBytesReply({ ...request, projectId, sha256, bytes, responseHeaders: type }),
  );
}

/** Whether a request resumes a download that has already been counted. */
export function hasGrant({ ctx, deps, target }: Visit, share: Share): boolean {
  const grant = singleValue(ctx.query.grant);
  if (target.kind !== 'download' || grant === null) return false;
  return isCounted(deps.signer, share, target.id ?? '', grant);
}

/**
 * Counts a download, and redirects to a URL from which it can be resumed without being counted
 * again. Policies are checked for both requests.
 */
async function downloadFile(visit: Visit): Promise<void> {
  const { ctx, deps, base, target, inShare } = visit;
  const id = target.id ?? '';
  const { share, delivery, isGranted } = await inShare(async (tx, found, origin) => {
    requireDownloads(found);
    const file = await requireFile(tx, found, id);
    const chosen = await chooseDeliveryByShare(tx, origin, found, file.object);
    const granted = hasGrant(visit, found);
    if (!granted && ctx.method === 'GET') {
      await countShareDownload(tx, found, origin, [{ id, delivery: chosen }], false);
    }
    return { share: found, delivery: chosen, isGranted: granted };
  });
  if (!isGranted && ctx.method === 'GET') {
    ctx.status = 303;
    ctx.redirect(`${base}/files/${id}/download?grant=${signDownload(deps.signer, share, id)}`);
    return;
  }
  requireConnected(ctx.res);
  const signal = disconnectSignal(ctx.res);
  const { method, req } = ctx;
  const waiting = { deps, signal, inProject: inProjectOf(visit), method, headers: req.headers };
  sendReply(ctx, await deliver(waiting, delivery, 'attachment'));
}

/**
 * Counts an archive and sends it. The archive contains a limited number of files of a collection,
 * starting at a cursor.
 */
async function downloadArchive(visit: Visit): Promise<void> {
  const { ctx, deps, target, inShare, named } = visit;
  const cursor = singleValue(ctx.query.cursor);
  const choose = async (tx: Tx, share: Share, origin: Origin) => {
    requireDownloads(share);
    const collection = await findSharedCollection(tx, share, target.id ?? share.collectionId);
    if (!collection) throw targetNotFound();
    const from = { cursor, limit: limits.archive_objects };
    const { files } = await readFiles(tx, deps.signer, { share, origin }, collection, from);
    const chosen = await chooseArchive(
      tx,
      origin,
      files.map(({ id }) => id),
      {
        goOn: true,
        isMerged: true,
        deliver: (own, from, object) => chooseDeliveryByShare(own, from, share, object),
      },
    );
    return { ...chosen, name: collection.name, listed: files };
  };
  await awaitCopies(
    () =>
      inShare(async (tx, share, origin) => {
        const { missing } = await choose(tx, share, origin);
        for (const [id, variant] of missing) {
          await requestVariant(tx, share.projectId, id, strippedVariant(id, variant));
        }
        return missing.length;
      }),
    deps.wake,
    disconnectSignal(ctx.res),
  );
  const { files, name, listed } = await inShare(async (tx, share, origin) => {
    const chosen = await choose(tx, share, origin);
    if (chosen.missing.length > 0) throw copiesNotReady(chosen.missing.length);
    if (chosen.files.length === 0)
      throw new Problem('not_found', 'There are no files to download.');
    requireArchiveSize(chosen.files);
    if (ctx.method === 'GET') {
      await countShareDownload(tx, share, origin, chosen.files, true);
    }
    return chosen;
  });
  requireConnected(ctx.res);
  const uniqueName = createUniqueNamer([excludedListName]);
  const entries = files.map((file) =>
    fileEntry(deps.storage, uniqueName(file.delivery.object.filename), file),
  );
  const excludedCount = listed.length - files.length;
  if (excludedCount > 0) entries.push(textEntry(excludedListName, excludedListText(excludedCount)));
  const reply: Reply<200, Readable | null> = archiveReply(
    named,
    entries,
    contentDisposition(`${name}.zip`),
  );
  if (ctx.method === 'HEAD') reply.body?.destroy();
  sendReply(ctx, ctx.method === 'HEAD' ? { ...reply, body: null } : reply);
}

const excludedListName = 'not included.txt';

function excludedListText(count: number): string {
  return `${pluralise(count, 'file')} ${count === 1 ? 'is' : 'are'} not included, because a policy does not allow downloading.\n`;
}

/** @throws Problem 403 for a link that shows previews only */
function requireDownloads({ allowDownload }: Share): void {
  if (allowDownload) return;
  throw new Problem('policy_denied', 'The link does not allow downloads.');
}

/** @throws Problem 410 if the link allows no more downloads */
async function countShareDownload(
  tx: Tx,
  share: Share,
  origin: Origin,
  objects: readonly { id: string; delivery: DownloadContent }[],
  isArchive: boolean,
): Promise<void> {
  if (!(await countUse(tx, share, 'downloads'))) {
    throw shareClosed('The link allows no more downloads.');
  }
  await record(
    tx,
    origin,
    ...objects.map(({ id, delivery }) => ({
      type: 'dam.share.downloaded' as const,
      resourceId: id,
      data: { share_id: share.id, delivered_object_id: delivery.object.id, archive: isArchive },
    })),
  );
  // A collection may contain a file twice.
  const distinct = new Map(objects.map(({ id, delivery }) => [id, delivery]));
  const counted = [...distinct].map(([id, delivery]) => ({
    ...downloadOf(id, delivery, 'share'),
    origin,
    count: 1,
    firstMsAgo: 0,
    lastMsAgo: 0,
  }));
  addDownloads(tx, share.projectId, counted, false);
}

/** Returns a function that opens transactions in the share's project, and checks the share each time. */
function inProjectOf({ inShare }: Visit) {
  return <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inShare((tx) => work(tx));
}

/** The value of a query parameter that occurs once; null otherwise. */
function singleValue(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
