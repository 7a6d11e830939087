import { inParallel } from '../../contracts/in-parallel.ts';
import { systemOrigin } from '../../contracts/origin.ts';
import type { Failure } from '../../contracts/wire/common.ts';
import { renditionMimes, renditionNames } from '../../contracts/wire/images.ts';
import { inProject, prepared, type Tx } from '../../db/transaction.ts';
import { finalFailure } from '../../engines/errors.ts';
import type { MadeRendition, Reading } from '../../engines/imaging/index.ts';
import type { Image } from '../../entities/image.ts';
import { record } from '../../outbox/record.ts';
import { gaveUp, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import type { Received, TempFile } from '../../storage/storage.ts';
import { holdBytes } from '../bytes/hold.ts';
import { lockPairs } from '../pair.ts';
import type { ImagingDeps } from './deps.ts';
import { findImage, type LibraryImage } from './load.ts';

/** Below the task's own deadline, so that the picture is told from a machine that hangs. */
const readMs = 60_000;

/** All sizes of a picture in both formats. */
const renditionsAtOnce = 8;

type ReadRun = TaskRun<'image.read'>;
type StoredRendition = MadeRendition & { received: Received };

/**
 * Looks at an image's picture: fills in the row, and makes its renditions, whose bytes are stored
 * before it. One that was purged or read meanwhile is left alone; one in the trash is read, since
 * it may come back.
 */
export async function readImage(deps: ImagingDeps, run: ReadRun): Promise<void> {
  const { projectId, payload } = run.task;
  const image = await inProject(deps.database, projectId, (tx) =>
    findImage(tx, projectId, payload.image_id),
  );
  if (!image?.processing) return run.end();
  const files: TempFile[] = [];
  try {
    const reading = await lookAt(deps, run, image, files);
    const renditions = await storeRenditions(deps, projectId, reading.renditions);
    await finishReading(run, (tx) => saveReading(tx, image, reading, renditions));
  } catch (error) {
    const told = finalFailure(error, isLastRun(run));
    if (!told) throw error;
    await finishReading(run, (tx) => saveFailure(tx, image, told));
  } finally {
    await Promise.all(files.map((file) => file.release()));
  }
}

/** Ends the reading of an image that no worker survived. */
export async function giveUpReading(run: ReadRun): Promise<void> {
  const { projectId, payload } = run.task;
  await finishReading(run, (tx) =>
    saveFailure(tx, { projectId, id: payload.image_id }, gaveUp('Reading the image')),
  );
}

/** Ends the task, and does `work` with the image locked if it is there and nobody has read it. */
async function finishReading(run: ReadRun, work: (tx: Tx) => Promise<void>): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async (tx) => {
      lockPairs(tx, projectId, [payload.image_id]);
      const [found] = await prepared<{ processing: boolean }>(
        tx,
        'SELECT processing FROM image WHERE project_id = $1 AND id = $2',
        [projectId, payload.image_id],
      );
      return found?.processing === true;
    },
    async (tx, waiting) => {
      if (waiting) await work(tx);
    },
  );
}

async function lookAt(
  deps: ImagingDeps,
  run: ReadRun,
  image: LibraryImage,
  files: TempFile[],
): Promise<Reading> {
  const paths: Record<string, string> = {};
  const names = renditionNames.flatMap((name) =>
    renditionMimes.map((mime) => `${name}.${mime.slice('image/'.length)}`),
  );
  await inParallel(names, renditionsAtOnce, async (name) => {
    const file = await deps.storage.tempFile();
    files.push(file);
    paths[name] = file.path;
  });
  const source = await deps.storage.localPath(image.projectId, image.sha256);
  try {
    return await deps.imaging.read(
      { path: source.path, mime: image.mime, files: paths },
      { deadlineMs: readMs, signal: run.signal, isolation: image.projectId },
    );
  } finally {
    await source.release();
  }
}

/** Takes the bytes of renditions into storage: each file once, however many sizes share it. */
async function storeRenditions(
  { storage }: ImagingDeps,
  projectId: string,
  made: readonly MadeRendition[],
): Promise<StoredRendition[]> {
  const paths = [...new Set(made.map(({ path }) => path))];
  // A disk syncs several files in the time of one.
  const all = await inParallel(paths, renditionsAtOnce, async (path) => {
    const received = await storage.receiveFile(projectId, path);
    await received.commit();
    return [path, received] as const;
  });
  const stored = new Map(all);
  return made.map((rendition) => ({ ...rendition, received: stored.get(rendition.path)! }));
}

async function saveReading(
  tx: Tx,
  image: Pick<Image, 'projectId' | 'id'>,
  reading: Reading,
  renditions: readonly StoredRendition[],
): Promise<void> {
  const { projectId, id } = image;
  const values = {
    width: reading.width,
    height: reading.height,
    orientation: reading.orientation,
    captured_at: reading.capturedAt,
    camera: reading.camera,
    location: reading.location,
    dominant_color: reading.palette[0] ?? null,
    palette: reading.palette,
    blurhash: reading.blurhash,
  };
  await prepared(
    tx,
    `UPDATE image SET processing = false, error = NULL, width = $3, height = $4, orientation = $5,
       captured_at = $6, camera = $7, location = $8, dominant_color = $9, palette = $10,
       blurhash = $11, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [projectId, id, ...Object.values(values)],
  );
  const bytes = [...new Set(renditions.map(({ received }) => received))];
  await inParallel(bytes, renditionsAtOnce, (received) => holdBytes(tx, projectId, received));
  await prepared(
    tx,
    `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
     SELECT $1, $2, r.* FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::integer[],
       $8::integer[]) AS r`,
    [
      projectId,
      id,
      renditions.map(({ name }) => name),
      renditions.map(({ mime }) => mime),
      renditions.map(({ received }) => received.sha256),
      renditions.map(({ received }) => received.bytes),
      renditions.map(({ width }) => width),
      renditions.map(({ height }) => height),
    ],
  );
  const filled = Object.entries(values).filter(([, value]) => value !== null);
  await tell(tx, projectId, id, ['processing', ...filled.map(([name]) => name), 'renditions']);
}

async function saveFailure(
  tx: Tx,
  { projectId, id }: Pick<Image, 'projectId' | 'id'>,
  error: Failure,
): Promise<void> {
  await prepared(
    tx,
    `UPDATE image SET processing = false, error = $3, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [projectId, id, JSON.stringify(error)],
  );
  await tell(tx, projectId, id, ['processing', 'error']);
}

/** Says which fields changed; what they hold, such as a place, is in no event. */
async function tell(tx: Tx, projectId: string, id: string, changed: string[]): Promise<void> {
  await record(tx, systemOrigin(projectId), {
    type: 'dam.image.updated',
    resourceId: id,
    data: { changed },
  });
}
