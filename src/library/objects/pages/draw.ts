import type { Engines } from '@scriptorium/documents';
import type { Database } from '../../../db/database.ts';
import type { TaskRun } from '../../../outbox/task-run.ts';
import type { Storage } from '../../../storage/storage.ts';
import { giveUpVariant, makeVariant } from '../make-variant.ts';
import { type PageView, pageVariant } from './page-image.ts';

export interface DrawDeps {
  database: Database;
  storage: Storage;
  engines: Engines;
}

/** Shorter than the task's deadline, to distinguish a damaged page from a machine that hangs. */
const drawTimeoutMs = 60_000;

type DrawRun = TaskRun<'object.draw'>;

/** Draws a page of an object, and stores the picture as a variant. */
export async function drawPage(deps: DrawDeps, run: DrawRun): Promise<void> {
  await drawView(deps, run, run.task.payload);
}

/** Draws a page of the task's object as `view`. Does nothing if the variant was not requested. */
export async function drawView(
  deps: DrawDeps,
  run: DrawRun | TaskRun<'object.preview'>,
  view: PageView,
): Promise<void> {
  const { page, width, mime: format, boxes } = view;
  await makeVariant(deps, run, pageVariant(view), ({ projectId, mime }, path, outPath) =>
    deps.engines.drawPage(
      { path, mime, page, width, format, boxes, outPath },
      { deadlineMs: drawTimeoutMs, signal: run.signal, isolation: projectId },
    ),
  );
}

/** Fails a picture after the worker crashed in each attempt to draw it. */
export async function giveUpDrawing(run: DrawRun): Promise<void> {
  await giveUpVariant(run, pageVariant(run.task.payload), 'Drawing the page');
}
