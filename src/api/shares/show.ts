import type { Readable } from 'node:stream';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { renditionMimes } from '@scriptorium/contracts/wire/library/images';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import { downloadOf } from '../../library/downloads/delivered.ts';
import { addDownloads } from '../../library/downloads/queries.ts';
import { contentDisposition } from '../../library/files/filename.ts';
import { uniqueNames } from '../../library/files/unique-names.ts';
import { findRendition, requireRenditions } from '../../library/images/renditions.ts';
import { chooseArchive } from '../../library/objects/archive.ts';
import type { DownloadContent } from '../../library/objects/delivery.ts';
import {
  drawing,
  pageVariant,
  previewView,
  requireRoomToDraw,
} from '../../library/objects/pages/page-image.ts';
import { collectionIn, fileIn, type SharedFile } from '../../library/shares/contents.ts';
import { deliveredThrough, shownThrough } from '../../library/shares/policies.ts';
import { countUse } from '../../library/shares/use.ts';
import { requestVariant, strippedVariant } from '../../library/variants.ts';
import { record } from '../../outbox/record.ts';
import { departure, requirePresence } from '../connections/responses.ts';
import {
  archiveReply,
  awaitCopies,
  fileEntry,
  notReady,
  requireSize,
  textEntry,
} from '../downloads/archive.ts';
import { awaitVariant } from '../downloads/await-variant.ts';
import { deliver } from '../downloads/deliver.ts';
import { storedBytes } from '../downloads/stored-bytes.ts';
import { sendReply } from '../frame/answers/send.ts';
import type { Reply } from '../frame/reply.ts';
import { collectionJson, fileJson, shareJson, uploadJson } from './json.ts';
import { sendJson, sendPage, wantsJson } from './page.ts';
import { presentFile, readCollection, readFiles } from './read.ts';
import type { Visit } from './serve.ts';
import { uploadPage } from './upload-page.ts';
import { collectionPage, filePage } from './views.ts';
import { closed, isCounted, signDownload } from './visit.ts';

/** Shows the target of a request's path. */
export async function showPlace(visit: Visit): Promise<void> {
  switch (visit.place.kind) {
    case 'root':
    case 'collection':
    case 'file':
      return showContent(visit);
    case 'preview':
      return showPreview(visit);
    case 'download':
      return download(visit);
    case 'uploads':
      throw nothingHere();
    case 'archive':
      return downloadAll(visit);
  }
}

async function showContent({ ctx, deps, base, place, inShare }: Visit): Promise<void> {
  const { query } = ctx;
  const from = { cursor: textOf(query.cursor), collections: textOf(query.collections) };
  const found = await inShare(async (tx, share, origin) => {
    if (share.kind === 'upload') {
      if (place.kind !== 'root') throw nothingHere();
      if (share.collectionId && !(await collectionIn(tx, share))) throw closed(goneText);
      return { share, upload: true as const };
    }
    const objectId = place.kind === 'file' ? place.id : share.objectId;
    if (place.kind !== 'collection' && objectId) {
      const file = await requireFile(tx, share, objectId);
      const shown = await shownThrough(tx, origin, share, file.object);
      return { share, file: presentFile(file, shown) };
    }
    const collection = await collectionIn(tx, share, place.id ?? share.collectionId);
    if (!collection) throw place.kind === 'root' ? closed(goneText) : nothingHere();
    const view = await readCollection(tx, deps.signer, { share, origin }, collection, from);
    return { share, view };
  });
  const { share } = found;
  if (found.upload) {
    if (wantsJson(ctx)) sendJson(ctx, uploadJson(share, base));
    else sendPage(ctx, 200, uploadPage(share, base));
    return;
  }
  if (found.view) {
    if (wantsJson(ctx)) sendJson(ctx, collectionJson(share, found.view, base));
    else sendPage(ctx, 200, collectionPage(share, found.view, base));
    return;
  }
  const { file } = found;
  const isAlone = share.objectId !== null;
  if (wantsJson(ctx)) sendJson(ctx, { ...shareJson(share), file: fileJson(share, file, base) });
  else sendPage(ctx, 200, filePage(share, file, { base, back: isAlone ? null : base, isAlone }));
}

const goneText = 'What it leads to is no longer available.';

function nothingHere(): Problem {
  return new Problem('not_found', 'The link does not lead to anything here.');
}

/** @throws Problem 404, or 410 if it is the link's only target */
async function requireFile(tx: Tx, share: Share, objectId: string): Promise<SharedFile> {
  const file = await fileIn(tx, share, objectId);
  if (file) return file;
  throw share.objectId === objectId ? closed(goneText) : nothingHere();
}

/** Sends a picture of a file: a rendition of an image, or its first page. */
async function showPreview(visit: Visit): Promise<void> {
  const { ctx, deps, place, inShare } = visit;
  const isLarge = ctx.query.size === 'large';
  const found = await inShare(async (tx, share, origin) => {
    const file = await requireFile(tx, share, place.id ?? '');
    const shown = await shownThrough(tx, origin, share, file.object);
    const isItself = shown.id === file.object.id;
    const image =
      isItself && file.imageId
        ? await findRendition(tx, share.projectId, file.imageId, isLarge ? 'w1280' : 'w320')
        : null;
    return { share, shown, image, hasPreview: presentFile(file, shown).hasPreview };
  });
  const { share, shown, image } = found;
  if (!found.hasPreview) throw nothingHere();
  const { projectId } = share;
  const answer = {
    'Content-Disposition': 'inline',
    // Previews never change, but the link can end.
    'Cache-Control': 'private, max-age=600',
    Vary: 'Accept, Cookie',
  };
  const request = { method: ctx.method, headers: ctx.req.headers, storage: deps.storage };
  if (image) {
    requireRenditions(image);
    const offers = renditionMimes.filter((mime) => image.formats.some((of) => of.mime === mime));
    const mime = ctx.accepts([...offers]) || offers[0];
    const { sha256, bytes } = image.formats.find((one) => one.mime === mime)!;
    const type = { ...answer, 'Content-Type': String(mime) };
    sendReply(ctx, await storedBytes({ ...request, projectId, sha256, bytes, answer: type }));
    return;
  }
  const view = isLarge ? { ...previewView, width: 1280 } : previewView;
  const waiting = { deps, signal: departure(ctx.res), inProject: inProjectOf(visit) };
  const { sha256, bytes } = await awaitVariant(waiting, shown, {
    variant: pageVariant(view),
    task: { kind: 'object.draw', payload: drawing(shown.id, view) },
    late: 'The preview is being made.',
    failed: () => new Problem('state_conflict', 'The file has no preview.'),
    beforeRequest: (tx) => requireRoomToDraw(tx, projectId),
  });
  requirePresence(ctx.res);
  const type = { ...answer, 'Content-Type': view.mime };
  sendReply(ctx, await storedBytes({ ...request, projectId, sha256, bytes, answer: type }));
}

/** Whether a request resumes a download that was already counted. */
export function hasGrant({ ctx, deps, place }: Visit, share: Share): boolean {
  const grant = textOf(ctx.query.grant);
  if (place.kind !== 'download' || grant === null) return false;
  return isCounted(deps.signer, share, place.id ?? '', grant);
}

/**
 * Counts a download and redirects to a URL where it can be resumed without being counted again.
 * Policies are checked both times.
 */
async function download(visit: Visit): Promise<void> {
  const { ctx, deps, base, place, inShare } = visit;
  const id = place.id ?? '';
  const { share, delivery, isGranted } = await inShare(async (tx, found, origin) => {
    requireDownloads(found);
    const file = await requireFile(tx, found, id);
    const chosen = await deliveredThrough(tx, origin, found, file.object);
    const granted = hasGrant(visit, found);
    if (!granted && ctx.method === 'GET') {
      await countDownload(tx, found, origin, [{ id, delivery: chosen }], false);
    }
    return { share: found, delivery: chosen, isGranted: granted };
  });
  if (!isGranted && ctx.method === 'GET') {
    ctx.status = 303;
    ctx.redirect(`${base}/files/${id}/download?grant=${signDownload(deps.signer, share, id)}`);
    return;
  }
  requirePresence(ctx.res);
  const signal = departure(ctx.res);
  const { method, req } = ctx;
  const waiting = { deps, signal, inProject: inProjectOf(visit), method, headers: req.headers };
  sendReply(ctx, await deliver(waiting, delivery, 'attachment'));
}

/**
 * Counts an archive and sends it: up to a maximum number of files of a collection, starting at a
 * cursor.
 */
async function downloadAll(visit: Visit): Promise<void> {
  const { ctx, deps, place, inShare, named } = visit;
  const cursor = textOf(ctx.query.cursor);
  const choose = async (tx: Tx, share: Share, origin: Origin) => {
    requireDownloads(share);
    const collection = await collectionIn(tx, share, place.id ?? share.collectionId);
    if (!collection) throw nothingHere();
    const from = { cursor, limit: limits.archive_objects };
    const { files } = await readFiles(tx, deps.signer, { share, origin }, collection, from);
    const chosen = await chooseArchive(
      tx,
      origin,
      files.map(({ id }) => id),
      {
        goOn: true,
        merged: true,
        deliver: (own, from, object) => deliveredThrough(own, from, share, object),
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
    departure(ctx.res),
  );
  const { files, name, listed } = await inShare(async (tx, share, origin) => {
    const chosen = await choose(tx, share, origin);
    if (chosen.missing.length > 0) throw notReady(chosen.missing.length);
    if (chosen.files.length === 0)
      throw new Problem('not_found', 'There are no files to download.');
    requireSize(chosen.files);
    if (ctx.method === 'GET') {
      await countDownload(tx, share, origin, chosen.files, true);
    }
    return chosen;
  });
  requirePresence(ctx.res);
  const nameOf = uniqueNames([leftOutName]);
  const entries = files.map((file) =>
    fileEntry(deps.storage, nameOf(file.delivery.object.filename), file),
  );
  const withheld = listed.length - files.length;
  if (withheld > 0) entries.push(textEntry(leftOutName, leftOutText(withheld)));
  const reply: Reply<200, Readable | null> = archiveReply(
    named,
    entries,
    contentDisposition(`${name}.zip`),
  );
  if (ctx.method === 'HEAD') reply.body?.destroy();
  sendReply(ctx, ctx.method === 'HEAD' ? { ...reply, body: null } : reply);
}

const leftOutName = 'not included.txt';

function leftOutText(count: number): string {
  return `${pluralise(count, 'file')} ${count === 1 ? 'is' : 'are'} not included, because a policy does not allow downloading.\n`;
}

/** @throws Problem 403 for a link that shows previews only */
function requireDownloads({ allowDownload }: Share): void {
  if (allowDownload) return;
  throw new Problem('policy_denied', 'The link does not allow downloads.');
}

/** @throws Problem 410 if the link allows no more downloads */
async function countDownload(
  tx: Tx,
  share: Share,
  origin: Origin,
  objects: readonly { id: string; delivery: DownloadContent }[],
  archive: boolean,
): Promise<void> {
  if (!(await countUse(tx, share, 'downloads'))) {
    throw closed('The link allows no more downloads.');
  }
  await record(
    tx,
    origin,
    ...objects.map(({ id, delivery }) => ({
      type: 'dam.share.downloaded' as const,
      resourceId: id,
      data: { share_id: share.id, delivered_object_id: delivery.object.id, archive },
    })),
  );
  // A collection may contain a file twice.
  const distinct = new Map(objects.map(({ id, delivery }) => [id, delivery]));
  const counted = [...distinct].map(([id, delivery]) => ({
    ...downloadOf(id, delivery, 'share'),
    ...{ origin, count: 1, firstMsAgo: 0, lastMsAgo: 0 },
  }));
  addDownloads(tx, share.projectId, counted, false);
}

/** Opens transactions in the share's project for waiting work, and checks the share each time. */
function inProjectOf({ inShare }: Visit) {
  return <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inShare((tx) => work(tx));
}

/** A query parameter that occurs exactly once. */
function textOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
