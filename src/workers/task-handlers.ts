import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import { deleteProject } from '../erasure/project/delete.ts';
import { applyRetention } from '../erasure/retention/apply.ts';
import { runErasure } from '../erasure/values/erase.ts';
import { searchErasure } from '../erasure/values/search.ts';
import { assembleOperation, giveUpAssembling } from '../jobs/assembling/assemble.ts';
import { giveUpOpening, openOperation } from '../jobs/opening/open.ts';
import { advancePack, giveUpAdvancing } from '../jobs/packs/advance.ts';
import { assemblePack, giveUpPacking } from '../jobs/packs/packing/assemble.ts';
import { giveUpPages, runPages } from '../jobs/pages/run-pages.ts';
import { expireReview } from '../jobs/reviews/expire.ts';
import { layOutReview } from '../jobs/reviews/lay-out.ts';
import { purgeCollection } from '../library/collections/purge.ts';
import { embedPassages, giveUpEmbedding } from '../library/embeddings/embed.ts';
import { giveUpReading, readImage } from '../library/images/read.ts';
import { giveUpInspecting, inspectObject } from '../library/objects/arrival/inspect.ts';
import { drawPreview, giveUpPreview } from '../library/objects/arrival/preview.ts';
import { giveUpReadingObject, readObject } from '../library/objects/arrival/read-text.ts';
import { continueEmptyTrash } from '../library/objects/ending/empty-trash.ts';
import { purgeObject } from '../library/objects/ending/purge.ts';
import { drawPage, giveUpDrawing } from '../library/objects/pages/draw.ts';
import { giveUpReadingWords, readWords } from '../library/objects/pages/words.ts';
import { giveUpStripping, stripObject } from '../library/objects/strip.ts';
import { expireUpload } from '../library/uploads/expire.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import { continueEnding } from '../webhooks/delivery/ending/schedule-ending.ts';
import { runReplay } from '../webhooks/replays/run.ts';
import type { WorkerDeps } from './deps.ts';
import { sweepProject } from './sweep.ts';
import { tidyProject } from './tidy.ts';

interface TaskHandler<K extends TaskKind> {
  run(deps: WorkerDeps, run: TaskRun<K>): Promise<void>;
  /** Ends a task that crashed too often, without repeating what may have killed its workers. */
  giveUp(deps: WorkerDeps, run: TaskRun<K>): Promise<void>;
}

/** The handler of each kind of task. A missing entry does not compile. */
export const taskHandlers: { [K in TaskKind]: TaskHandler<K> } = {
  'operation.open': { run: openOperation, giveUp: (_deps, run) => giveUpOpening(run) },
  'operation.pages': { run: runPages, giveUp: (_deps, run) => giveUpPages(run) },
  'operation.assemble': { run: assembleOperation, giveUp: (_deps, run) => giveUpAssembling(run) },
  // A review can be submitted without boxes.
  'review.lay_out': { run: layOutReview, giveUp: (_deps, run) => run.end() },
  'review.expire': { run: expireReview, giveUp: expireReview },
  'pack.advance': { run: advancePack, giveUp: (_deps, run) => giveUpAdvancing(run) },
  'pack.assemble': { run: assemblePack, giveUp: (_deps, run) => giveUpPacking(run) },
  'image.read': { run: readImage, giveUp: (_deps, run) => giveUpReading(run) },
  'object.strip': { run: stripObject, giveUp: (_deps, run) => giveUpStripping(run) },
  'object.draw': { run: drawPage, giveUp: (_deps, run) => giveUpDrawing(run) },
  'object.words': { run: readWords, giveUp: (_deps, run) => giveUpReadingWords(run) },
  'object.preview': { run: drawPreview, giveUp: (_deps, run) => giveUpPreview(run) },
  'object.inspect': { run: inspectObject, giveUp: (_deps, run) => giveUpInspecting(run) },
  'object.read': { run: readObject, giveUp: (_deps, run) => giveUpReadingObject(run) },
  'passages.embed': { run: embedPassages, giveUp: (_deps, run) => giveUpEmbedding(run) },
  // Maintenance never fails for good: it is scheduled again after a pause.
  'object.purge': { run: purgeObject, giveUp: purgeObject },
  'trash.empty': { run: continueEmptyTrash, giveUp: continueEmptyTrash },
  'retention.apply': { run: applyRetention, giveUp: applyRetention },
  'erasure.search': { run: searchErasure, giveUp: searchErasure },
  'erasure.run': { run: runErasure, giveUp: runErasure },
  'upload.expire': { run: expireUpload, giveUp: expireUpload },
  'collection.purge': { run: purgeCollection, giveUp: purgeCollection },
  'webhook.replay': { run: runReplay, giveUp: runReplay },
  'webhook.end': { run: continueEnding, giveUp: continueEnding },
  'project.tidy': { run: tidyProject, giveUp: tidyProject },
  'project.delete': { run: deleteProject, giveUp: deleteProject },
  'project.sweep': { run: sweepProject, giveUp: sweepProject },
};
