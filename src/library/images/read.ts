import { inParallel } from '@scriptorium/contracts/helpers/in-parallel';
import { systemOrigin } from '@scriptorium/contracts/origin';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { renditionMimes, renditionNames } from '@scriptorium/contracts/wire/library/images';
import type { PictureReading, WrittenRendition } from '@scriptorium/documents/imaging';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { nextVersion, sendInsert, sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import { inProject, type Tx } from '../../db/transaction.ts';
import { Image } from '../../entities/images/image.ts';
import { Rendition } from '../../entities/images/rendition.ts';
import { record } from '../../outbox/record.ts';
import { gaveUpFailure, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import type { ReceivedBytes, TempFile } from '../../storage/storage.ts';
import { retainBytes } from '../bytes/retain.ts';
import { lockPairs } from '../pair.ts';
import type { ImagingDeps } from './deps.ts';
import { findImage, type LibraryImage } from './load.ts';

/** Shorter than the task's deadline, to distinguish a damaged picture from a machine that hangs. */
const readTimeoutMs = 60_000;

/** Enough for all sizes of a picture in both formats. */
const renditionConcurrency = 8;

/** The fields that a reading fills in, and their names in events. */
const fieldNames = {
  title: 'title',
  creator: 'creator',
  copyright: 'copyright',
  rating: 'rating',
  width: 'width',
  height: 'height',
  orientation: 'orientation',
  capturedAt: 'captured_at',
  camera: 'camera',
  location: 'location',
  dominantColor: 'dominant_color',
  palette: 'palette',
  blurhash: 'blurhash',
} as const;
type FilledField = keyof typeof fieldNames;
/** The details that clients may have set before the picture was read. */
type ClientDetails = Pick<Image, 'title' | 'rating'>;

/** The changes to the row of an image after any reading. */
const readChange = { processing: false, updatedAt: transactionTime, version: nextVersion };

type ReadRun = TaskRun<'image.read'>;
type StoredRendition = WrittenRendition & { received: ReceivedBytes };

/**
 * Reads an image's picture: fills in the row and makes its renditions, whose bytes are stored
 * first. An image that was purged or read meanwhile is left unchanged; one in the trash is read,
 * since it may be restored.
 */
export async function readImage(deps: ImagingDeps, run: ReadRun): Promise<void> {
  const { projectId, payload } = run.task;
  const image = await inProject(deps.database, projectId, (tx) =>
    findImage(tx, projectId, payload.image_id),
  );
  if (!image?.processing) return run.end();
  const files: TempFile[] = [];
  try {
    const reading = await readPicture(deps, run, image, files);
    const renditions = await storeRenditions(deps, projectId, reading.renditions);
    await finishReading(run, (tx, before) => saveReading(tx, image, before, reading, renditions));
  } catch (error) {
    const failure = finalFailure(error, isLastRun(run));
    if (!failure) throw error;
    await finishReading(run, (tx) => saveFailure(tx, image, failure));
  } finally {
    await Promise.all(files.map((file) => file.release()));
  }
}

/** Fails an image after the worker crashed in each attempt to read it. */
export async function giveUpReading(run: ReadRun): Promise<void> {
  const { projectId, payload } = run.task;
  await finishReading(run, (tx) =>
    saveFailure(tx, { projectId, id: payload.image_id }, gaveUpFailure('Reading the image')),
  );
}

/** Ends the task. If the image exists and was not read yet, runs `work` with the image locked. */
async function finishReading(
  run: ReadRun,
  work: (tx: Tx, before: ClientDetails) => Promise<void>,
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async (tx) => {
      const where = { projectId, id: payload.image_id };
      lockPairs(tx, projectId, [payload.image_id]);
      const found = await tx.findOne(Image, {
        select: { processing: true, title: true, rating: true },
        where,
      });
      return found?.processing ? found : null;
    },
    async (tx, unread) => {
      if (unread) await work(tx, unread);
    },
  );
}

async function readPicture(
  deps: ImagingDeps,
  run: ReadRun,
  image: LibraryImage,
  files: TempFile[],
): Promise<PictureReading> {
  const paths: Record<string, string> = {};
  const names = renditionNames.flatMap((name) =>
    renditionMimes.map((mime) => `${name}.${mime.slice('image/'.length)}`),
  );
  await inParallel(names, renditionConcurrency, async (name) => {
    const file = await deps.storage.tempFile();
    files.push(file);
    paths[name] = file.path;
  });
  const source = await deps.storage.localPath(image.projectId, image.sha256);
  try {
    return await deps.imaging.read(
      { path: source.path, mime: image.mime, files: paths },
      { deadlineMs: readTimeoutMs, signal: run.signal, isolation: image.projectId },
    );
  } finally {
    await source.release();
  }
}

/** Stores the bytes of renditions: each file once, even if several sizes share it. */
async function storeRenditions(
  { storage }: ImagingDeps,
  projectId: string,
  renditions: readonly WrittenRendition[],
): Promise<StoredRendition[]> {
  const paths = [...new Set(renditions.map(({ path }) => path))];
  // A disk syncs several files in about the time of one.
  const all = await inParallel(paths, renditionConcurrency, async (path) => {
    const received = await storage.receiveFile(projectId, path);
    await received.commit();
    return [path, received] as const;
  });
  const receivedByPath = new Map(all);
  return renditions.map((rendition) => ({
    ...rendition,
    received: receivedByPath.get(rendition.path)!,
  }));
}

async function saveReading(
  tx: Tx,
  image: Pick<Image, 'projectId' | 'id'>,
  before: ClientDetails,
  reading: PictureReading,
  renditions: readonly StoredRendition[],
): Promise<void> {
  const { projectId, id } = image;
  const values: Pick<Image, FilledField> = {
    // Details that people set meanwhile are kept.
    title: before.title ?? reading.title,
    creator: reading.creator,
    copyright: reading.copyright,
    rating: before.rating ?? reading.rating,
    width: reading.width,
    height: reading.height,
    orientation: reading.orientation,
    capturedAt: reading.capturedAt === null ? null : new Date(reading.capturedAt),
    camera: reading.camera,
    location: reading.location,
    dominantColor: reading.palette[0] ?? null,
    palette: reading.palette,
    blurhash: reading.blurhash,
  };
  sendUpdate(tx, Image, { projectId, id }, { ...values, ...readChange, error: null });
  const bytes = [...new Set(renditions.map(({ received }) => received))];
  await inParallel(bytes, renditionConcurrency, (received) => retainBytes(tx, projectId, received));
  sendInsert(
    tx,
    Rendition,
    renditions.map(({ name, mime, width, height, received: { sha256, bytes } }) => {
      return { projectId, imageId: id, name, mime, sha256, bytes, width, height };
    }),
  );
  const previous: Partial<Pick<Image, FilledField>> = before;
  const filledFields = Object.entries(fieldNames).filter(([field]) => {
    const value = values[field as FilledField];
    return value !== null && value !== previous[field as FilledField];
  });
  await recordUpdate(tx, projectId, id, [
    'processing',
    ...filledFields.map(([, name]) => name),
    'renditions',
  ]);
}

async function saveFailure(
  tx: Tx,
  { projectId, id }: Pick<Image, 'projectId' | 'id'>,
  error: Failure,
): Promise<void> {
  sendUpdate(tx, Image, { projectId, id }, { ...readChange, error });
  await recordUpdate(tx, projectId, id, ['processing', 'error']);
}

/** Records which fields changed. Events do not contain the values, such as a location. */
async function recordUpdate(
  tx: Tx,
  projectId: string,
  id: string,
  changed: string[],
): Promise<void> {
  await record(tx, systemOrigin(projectId), {
    type: 'dam.image.updated',
    resourceId: id,
    data: { changed },
  });
}
