import { tmpdir } from 'node:os';
import { createEngines, type Engines } from '@scriptorium/documents';
import { createImaging, type Imaging } from '@scriptorium/documents/imaging';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { giveUpReading, readImage } from '../../src/library/images/read.ts';
import { drawPreview } from '../../src/library/objects/arrival/preview.ts';
import { drawPage, giveUpDrawing } from '../../src/library/objects/pages/draw.ts';
import { readWords } from '../../src/library/objects/pages/words.ts';
import { giveUpStripping, stripObject } from '../../src/library/objects/strip.ts';
import { claimTask } from '../../src/outbox/lease-queries.ts';
import type { TaskRun } from '../../src/outbox/task-run.ts';
import type { TestApi } from './api.ts';
import { runOf } from './tasks.ts';
import { type RawAnswer, send } from './uploads.ts';

/** The imaging worker without its queue, over the database and the storage of an API. */
export interface TestImaging {
  imaging: Imaging;
  database: Database;
  /** Claims the oldest task of the API's projects, as a worker does; null without one. */
  take(): Promise<TaskRun | null>;
  /** Does one task. Throws what its run throws. */
  work(run: TaskRun): Promise<void>;
  giveUp(run: TaskRun): Promise<void>;
  /** Does all that is due. */
  run(): Promise<void>;
  /** Sends a request and does what it schedules. Sends it again if the service stopped waiting for the worker. */
  serve(method: string, path: string, headers?: Record<string, string>): Promise<RawAnswer>;
  close(): Promise<void>;
}

export async function openImaging(api: TestApi, given?: Imaging): Promise<TestImaging> {
  const database = await openDatabase(api.database.workerUrl, { poolSize: 4 });
  const imaging =
    given ?? createImaging({ processes: 1, memoryBytes: 1024 * 2 ** 20, tmpDir: tmpdir() });
  const projects = [api.projectId, api.other.projectId];
  const deps = { database, storage: api.deps.storage, imaging };
  let engines: Engines | undefined;
  const drawing = () => {
    engines ??= createEngines({ processes: 1, memoryBytes: 1024 * 2 ** 20, tmpDir: tmpdir() });
    return { ...deps, engines };
  };

  const made: TestImaging = {
    imaging,
    database,
    async take() {
      const [due] = await inTransaction(database, (tx) =>
        query<{ id: string }>(
          tx,
          `SELECT id FROM task WHERE queue = 'imaging' AND state = 'pending' AND due_at <= now()
             AND project_id = ANY($1)
           ORDER BY id LIMIT 1`,
          [projects],
        ),
      );
      const task = due && (await inTransaction(database, (tx) => claimTask(tx, due.id)));
      return task ? runOf(database, task) : null;
    },
    async work(run) {
      const { kind } = run.task;
      if (kind === 'image.read') await readImage(deps, run as TaskRun<'image.read'>);
      else if (kind === 'object.draw') await drawPage(drawing(), run as TaskRun<'object.draw'>);
      else if (kind === 'object.words') await readWords(drawing(), run as TaskRun<'object.words'>);
      else if (kind === 'object.preview')
        await drawPreview(drawing(), run as TaskRun<'object.preview'>);
      // Its text and number of pages are not what these tests are about.
      else if (kind === 'object.read') await run.end();
      else await stripObject(deps, run as TaskRun<'object.strip'>);
    },
    async giveUp(run) {
      const { kind } = run.task;
      if (kind === 'image.read') await giveUpReading(run as TaskRun<'image.read'>);
      else if (kind === 'object.draw') await giveUpDrawing(run as TaskRun<'object.draw'>);
      else await giveUpStripping(run as TaskRun<'object.strip'>);
    },
    async run() {
      for (let next = await made.take(); next; next = await made.take()) await made.work(next);
    },
    async serve(method, path, headers = {}) {
      for (;;) {
        let answered = false;
        const waiting = send(api, method, path, headers).finally(() => {
          answered = true;
        });
        while (!answered) await made.run();
        const answer = await waiting;
        if (answer.status !== 409 || answer.headers['retry-after'] === undefined) return answer;
      }
    },
    async close() {
      await imaging.close();
      await engines?.close();
      await database.destroy();
    },
  };
  return made;
}
