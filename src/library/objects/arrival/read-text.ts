import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { sourceMimes } from '@scriptorium/contracts/documents/sources';
import { limits } from '@scriptorium/contracts/limits';
import { type Engines, isPageText, type PageText } from '@scriptorium/documents';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { IsNull } from 'typeorm';
import type { Database } from '../../../db/database.ts';
import { sendUpdate } from '../../../db/statements/rows.ts';
import { inProject, type Tx } from '../../../db/transaction.ts';
import { JobOutput } from '../../../entities/jobs/job-output.ts';
import { StoredObject } from '../../../entities/library/stored-object.ts';
import { schedule } from '../../../outbox/schedule.ts';
import { isLastRun, type TaskRun } from '../../../outbox/task-run.ts';
import type { Storage, TempFile } from '../../../storage/storage.ts';
import { isImageMime } from '../../images/create.ts';
import { findObject, lockObject } from '../load.ts';
import { indexOwnText } from '../text.ts';
import { schedulePreview } from './preview.ts';

interface ReadDeps {
  database: Database;
  storage: Storage;
  engines: Engines;
}

/** Shorter than the task's deadline, to distinguish a damaged file from a machine that hangs. */
const readTimeoutMs = 60_000;

/** The page count of a type that always has one page; null for others. */
export const fixedPageCount = (mime: string): number | null =>
  isImageMime(mime) && mime !== 'image/tiff' ? 1 : null;

/** Schedules the reading of an available object, if files of its type have pages or text. */
export async function scheduleReading(
  tx: Tx,
  projectId: string,
  object: Pick<StoredObject, 'id' | 'mime'>,
): Promise<void> {
  const isSource = sourceMimes.some((mime) => mime === object.mime);
  if (!isSource || fixedPageCount(object.mime) !== null) return;
  await schedule(tx, projectId, object.id, {
    kind: 'object.read',
    payload: { object_id: object.id },
  });
}

/**
 * Counts the pages of an object and adds the text in its file to the search index; neither for a file
 * that cannot be read. Outputs of jobs are found by the text of their source. Attachments are found by
 * their own text, which the source lacks. Originals and attachments also get a preview; other objects are
 * shown under their source.
 */
export async function readObject(deps: ReadDeps, run: TaskRun<'object.read'>): Promise<void> {
  const { projectId, payload } = run.task;
  const [object, isAttached] = await inProject(deps.database, projectId, (tx) =>
    Promise.all([
      findObject(tx, projectId, payload.object_id),
      tx.existsBy(JobOutput, { projectId, objectId: payload.object_id, kind: 'attachment' }),
    ]),
  );
  if (!object) return run.end();
  const isOriginal = object.derivedFrom === null || isAttached;
  const contents = await readContents(deps, object, run, isOriginal);
  if (!contents) return run.end();
  const { pages, texts } = contents;
  await run.finish(
    (tx) => lockObject(tx, projectId, object.id),
    async (tx, locked) => {
      if (!locked) return;
      const where = { projectId, id: object.id, pages: IsNull() };
      if (pages > 0) sendUpdate(tx, StoredObject, where, { pages });
      if (texts.length > 0) await indexOwnText(tx, projectId, object.id, texts);
      if (pages > 0 && isOriginal) await schedulePreview(tx, locked);
    },
  );
}

/** Gives up on the text of an object whose reading crashed repeatedly. */
export const giveUpReadingObject = (run: TaskRun<'object.read'>): Promise<void> => run.end();

async function readContents(
  { storage, engines }: ReadDeps,
  { projectId, mime, sha256 }: StoredObject,
  run: TaskRun<'object.read'>,
  includesText: boolean,
): Promise<{ pages: number; texts: PageText[] } | null> {
  const file = await storage.localPath(projectId, sha256);
  let outFile: TempFile | undefined;
  try {
    outFile = await storage.tempFile();
    const request = { path: file.path, mime, outPath: outFile.path };
    const options = { deadlineMs: readTimeoutMs, signal: run.signal, isolation: projectId };
    const { pages } = await engines.readOwnText(request, options);
    const pageCount = Math.min(Math.max(0, Math.trunc(pages)), limits.document_pages);
    return {
      pages: pageCount,
      texts: includesText ? await readTexts(outFile.path, pageCount) : [],
    };
  } catch (thrown) {
    if (!finalFailure(thrown, isLastRun(run))) throw thrown;
    return null;
  } finally {
    await Promise.all([file.release(), outFile?.release()]);
  }
}

/** The texts of pages in an untrusted file that a child wrote: at most one for each existing page. */
async function readTexts(path: string, pages: number): Promise<PageText[]> {
  const texts = new Map<number, PageText>();
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) {
    const value: unknown = JSON.parse(line);
    if (!isPageText(value)) throw new Error('The text of a page is invalid.');
    if (Number.isInteger(value.page) && value.page > 0 && value.page <= pages) {
      texts.set(value.page, value);
    }
  }
  return [...texts.values()];
}
