import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { createProject } from '../../src/access/projects.ts';
import { newId } from '../../src/contracts/ids.ts';
import type { TaskKind } from '../../src/contracts/tasks.ts';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { purgeObject } from '../../src/library/objects/purge.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import type { TaskRun } from '../../src/outbox/task-run.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { tidyProject } from '../../src/workers/tidy.ts';
import { type Ground, openGround } from '../support/outbox.ts';
import { takeTask } from '../support/tasks.ts';

describe('upkeep of a project', () => {
  let ground: Ground;
  let folder: string;
  let storage: Storage;
  before(async () => {
    ground = await openGround();
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-upkeep-'));
    storage = await openStorage(pathToFileURL(folder).href);
  });
  after(async () => {
    await ground.close();
    await rm(folder, { recursive: true, force: true });
  });

  const take = <K extends TaskKind>(taskId: string): Promise<TaskRun<K>> =>
    takeTask(ground.worker, taskId);
  const rows = <Row extends object>(project: string, sql: string) =>
    inProject(ground.worker, project, (tx) => query<Row>(tx, sql, []));

  it('comes with the project, forgets what is old, and comes back', async () => {
    const { projectId } = await inTransaction(ground.owner, (tx) => createProject(tx, 'tidy'));
    const own = `SELECT id FROM task WHERE kind = 'project.tidy' AND project_id = '${projectId}'`;
    const [first] = await rows<{ id: string }>(projectId, own);
    for (const [value, age] of [
      ['old', '25 hours'],
      ['new', '23 hours'],
    ]) {
      await inProject(ground.api, projectId, (tx) =>
        query(
          tx,
          `INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body, created_at)
           VALUES ($1, 'k', 'r', $2, '', 200, '{}', '', now() - $3::interval)`,
          [projectId, value, age],
        ),
      );
    }
    // What a killed process left of an upload two days ago, and what another is writing now.
    const [dead, alive] = [await storage.tempFile(), await storage.tempFile()];
    const then = new Date(Date.now() - 48 * 3_600_000);
    await utimes(dead.path, then, then);
    await tidyProject({ storage }, await take(first!.id));
    expect([existsSync(dead.path), existsSync(alive.path)]).to.deep.equal([false, true]);
    const kept = await rows<{ value: string }>(projectId, 'SELECT value FROM idempotency');
    expect(kept).to.deep.equal([{ value: 'new' }]);
    const [next] = await rows<{ id: string }>(projectId, own);
    expect(next!.id).to.not.equal(first!.id);
  });

  it('ends an object whose time in the trash is over, and no other', async () => {
    const project = await ground.project();
    const put = async (trashedAgo: string): Promise<string> => {
      const id = newId('object');
      await inProject(ground.api, project, (tx) =>
        query(
          tx,
          `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, trashed_at)
           VALUES ($1, $2, 'trashed', 'f', 'text/plain', 1, 's', 'upload', now() - $3::interval)`,
          [id, project, trashedAgo],
        ),
      );
      const [task] = await inProject(ground.api, project, (tx) =>
        schedule(tx, project, id, { kind: 'object.purge', payload: { object_id: id } }),
      );
      await purgeObject({}, await take(task!));
      return id;
    };
    const over = await put('31 days');
    const waiting = await put('29 days');
    const left = await rows<{ id: string }>(project, 'SELECT id FROM object');
    expect(left.map(({ id }) => id)).to.deep.equal([waiting]);
    const told = await rows<{ resource_id: string }>(
      project,
      `SELECT resource_id FROM event WHERE type = 'dam.object.purged'`,
    );
    expect(told.map(({ resource_id }) => resource_id)).to.deep.equal([over]);
  });
});
