import { inProject, prepared, type Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { schedule } from '../../../outbox/schedule.ts';
import type { TaskRun } from '../../../outbox/task-run.ts';
import { decideAnonymousRead, redactionIn } from '../../../policies/enforce.ts';
import { isImageMime } from '../../images/create.ts';
import { findObject } from '../load.ts';
import { giveUpVariant } from '../make-variant.ts';
import { type DrawDeps, drawView } from '../pages/draw.ts';
import { pageVariant, previewView } from '../pages/page-image.ts';

/** Larger files are drawn only when their preview is requested. */
const maxBytes = 100 * 2 ** 20;

const variant = pageVariant(previewView);

type PreviewRun = TaskRun<'object.preview'>;

/**
 * Schedules the drawing of a document's preview; images have renditions. It is scheduled after the
 * project's other work, and requests do not wait for it.
 */
export async function schedulePreview(
  tx: Tx,
  { projectId, id, mime, bytes }: StoredObject,
): Promise<void> {
  if (isImageMime(mime) || bytes > maxBytes) return;
  await schedule(tx, projectId, id, { kind: 'object.preview', payload: { object_id: id } });
}

/** Draws the preview of a document, unless a request did so first or policies prevent its display. */
export async function drawPreview(deps: DrawDeps, run: PreviewRun): Promise<void> {
  if (await claimDrawing(deps, run)) await drawView(deps, run, previewView);
  else await run.end();
}

/** Fails a preview after the worker crashed in each attempt; a request tries again. */
export async function giveUpPreview(run: PreviewRun): Promise<void> {
  await giveUpVariant(run, variant, 'Drawing the page');
}

/**
 * Inserts the row of the variant, so that requests wait for this run instead of drawing it too. It is not
 * inserted earlier, because rows without a picture count towards the maximum of requested pictures.
 * @returns whether this run must draw it
 */
function claimDrawing({ database }: DrawDeps, run: PreviewRun): Promise<boolean> {
  const { projectId, payload, epoch } = run.task;
  const objectId = payload.object_id;
  return inProject(database, projectId, async (tx) => {
    const object = await findObject(tx, projectId, objectId);
    if (object?.state !== 'available') return false;
    const decision = await decideAnonymousRead(tx, projectId, objectId);
    if (decision.decision !== 'allow' || redactionIn(decision)) return false;
    const inserted = await prepared(
      tx,
      `INSERT INTO object_variant (project_id, object_id, variant)
       SELECT $1, id, $3 FROM object WHERE project_id = $1 AND id = $2 FOR KEY SHARE
       ON CONFLICT (project_id, object_id, variant) DO NOTHING RETURNING variant`,
      [projectId, objectId, variant],
    );
    // A row found by a later run was left by an interrupted one.
    return inserted.length > 0 || epoch > 1;
  });
}
