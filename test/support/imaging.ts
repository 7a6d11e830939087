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
import { type RawResponse, sendRaw } from './uploads.ts';

/** The imaging worker without its queue, over the database and the storage of an API. */
export interface TestImaging {
  imaging: Imaging;
  database: Database;
  /** Claims the oldest task of the API's projects, as a worker does; null without one. */
  claim(): Promise<TaskRun | null>;
  /** Does one task. Throws what its run throws. */
  runTask(run: TaskRun): Promise<void>;
  giveUp(run: TaskRun): Promise<void>;
  /** Does all that is due. */
  run(): Promise<void>;
  /** Sends a request and does what it schedules. Sends it again if the service stopped waiting for the worker. */
  sendAndProcess(
    method: string,
    path: string,
    headers?: Record<string, string>,
  ): Promise<RawResponse>;
  close(): Promise<void>;
}

export async function openImaging(api: TestApi, existing?: Imaging): Promise<TestImaging> {
  const database = await openDatabase(api.database.workerUrl, { poolSize: 4 });
  const imaging =
    existing ?? createImaging({ processes: 1, memoryBytes: 1024 * 2 ** 20, tmpDir: tmpdir() });
  const projects = [api.projectId, api.other.projectId];
  const deps = { database, storage: api.deps.storage, imaging };
  let engines: Engines | undefined;
  const drawingDeps = () => {
    engines ??= createEngines({ processes: 1, memoryBytes: 1024 * 2 ** 20, tmpDir: tmpdir() });
    return { ...deps, engines };
  };

  const testImaging: TestImaging = {
    imaging,
    database,
    async claim() {
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
    async runTask(run) {
      const { kind } = run.task;
      if (kind === 'image.read') await readImage(deps, run as TaskRun<'image.read'>);
      else if (kind === 'object.draw') await drawPage(drawingDeps(), run as TaskRun<'object.draw'>);
      else if (kind === 'object.words')
        await readWords(drawingDeps(), run as TaskRun<'object.words'>);
      else if (kind === 'object.preview')
        await drawPreview(drawingDeps(), run as TaskRun<'object.preview'>);
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
      for (let next = await testImaging.claim(); next; next = await testImaging.claim())
        await testImaging.runTask(next);
    },
    async sendAndProcess(method, path, headers = {}) {
      for (;;) {
        let isAnswered = false;
        const pendingResponse = sendRaw(api, method, path, headers).finally(() => {
          isAnswered = true;
        });
        while (!isAnswered) await testImaging.run();
        const response = await pendingResponse;
        if (response.status !== 409 || response.headers['retry-after'] === undefined)
          return response;
      }
    },
    async close() {
      await imaging.close();
      await engines?.close();
      await database.destroy();
    },
  };
  return testImaging;
}
