import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { newId } from '@scriptorium/contracts/ids';
import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import { expect } from 'chai';
import { pino } from 'pino';
import { createProject } from '../../src/access/projects.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, query, type Tx } from '../../src/db/transaction.ts';
import { retainBytes } from '../../src/library/bytes/retain.ts';
import { createFromUpload } from '../../src/library/objects/arrival/upload.ts';
import { purgeObject } from '../../src/library/objects/ending/purge.ts';
import { trashObject } from '../../src/library/objects/ending/trash.ts';
import { createUpload } from '../../src/library/uploads/create.ts';
import { expireUpload } from '../../src/library/uploads/expire.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import type { TaskRun } from '../../src/outbox/task-run.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { tidyProject } from '../../src/workers/tidy.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { takeTask } from '../support/tasks.ts';

describe('project upkeep', () => {
  let database: DatabaseFixture;
  let folder: string;
  let storage: Storage;
  before(async () => {
    database = await openDatabaseFixture();
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-upkeep-'));
    storage = await openStorage(pathToFileURL(folder).href);
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const take = <K extends TaskKind>(taskId: string): Promise<TaskRun<K>> =>
    takeTask(database.worker, taskId);
  const rows = <Row extends object>(project: string, sql: string) =>
    inProject(database.worker, project, (tx) => query<Row>(tx, sql, []));

  const planned = async (project: string) => {
    const [task] = await rows<{ id: string; due: boolean }>(
      project,
      `SELECT id, due_at <= now() AS due FROM task
       WHERE kind = 'project.tidy' AND project_id = '${project}'`,
    );
    return task!;
  };
  const tidy = async (project: string, given: Partial<TaskRun<'project.tidy'>> = {}) => {
    const run = await take<'project.tidy'>((await planned(project)).id);
    await tidyProject({ storage }, { ...run, ...given });
  };
  /** Stores responses for keys, as old as this. */
  const answer = (project: string, age: string, ...values: string[]) =>
    inProject(database.api, project, (tx) =>
      query(
        tx,
        `INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body, created_at)
         SELECT $1, 'k', 'r', v, '', 200, '{}', '', now() - $2::interval FROM unnest($3::text[]) AS v`,
        [project, age, values],
      ),
    );

  it('forgets people who are members of no project, an hour after their last sign-in', async () => {
    const { projectId } = await inTransaction(database.owner, (tx) => createProject(tx, 'people'));
    await inProject(database.owner, projectId, (tx) =>
      query(
        tx,
        `WITH made AS (
           INSERT INTO person (id, issuer, subject, name, created_at, signed_in_at)
           SELECT 'usr_' || subject, 'https://login.example.com', subject, subject,
             now() - made, now() - seen
           FROM (VALUES ('left', interval '9 days', interval '2 hours'), ('never', '2 hours', NULL),
             ('entering', '9 days', '1 minute'), ('new', '1 minute', NULL),
             ('member', '9 days', '2 hours')) AS p (subject, made, seen))
         INSERT INTO member (project_id, id, user_id, role, source)
         VALUES ($1, 'mem_1', 'usr_member', 'viewer', 'added')`,
        [projectId],
      ),
    );
    const people = () =>
      inTransaction(database.owner, (tx) =>
        query<{ subject: string }>(tx, 'SELECT subject FROM person ORDER BY subject', []),
      );
    await tidy(projectId);
    const left = (await people()).map(({ subject }) => subject);
    expect(left).to.deep.equal(['entering', 'member', 'new']);
  });

  it('is scheduled with the project, deletes old records and schedules itself again', async () => {
    const { projectId } = await inTransaction(database.owner, (tx) => createProject(tx, 'tidy'));
    const first = await planned(projectId);
    await answer(projectId, '25 hours', 'old');
    await answer(projectId, '23 hours', 'new');
    await inProject(database.api, projectId, (tx) =>
      query(
        tx,
        `INSERT INTO portal_session (project_id, key_id, id, expires_at)
         VALUES ($1, 'k', 'over', now() - interval '1 second'), ($1, 'k', 'good', now() + interval '1 hour')`,
        [projectId],
      ),
    );
    await inProject(database.api, projectId, (tx) =>
      query(
        tx,
        `INSERT INTO usage_day (project_id, day, storage_bytes, succeeded, failed)
         SELECT $1, (now() AT TIME ZONE 'UTC')::date - ago, 1, 1, 1 FROM unnest('{366,364}'::integer[]) AS ago`,
        [projectId],
      ),
    );
    // A killed process left the upload two days ago; another process is writing the other one now.
    const [dead, alive] = [await storage.tempFile(), await storage.tempFile()];
    const then = new Date(Date.now() - 48 * 3_600_000);
    await utimes(dead.path, then, then);
    await tidy(projectId);
    expect([existsSync(dead.path), existsSync(alive.path)]).to.deep.equal([false, true]);
    const kept = await rows<{ value: string }>(projectId, 'SELECT value FROM idempotency');
    expect(kept).to.deep.equal([{ value: 'new' }]);
    const sessions = await rows<{ id: string }>(projectId, 'SELECT id FROM portal_session');
    expect(sessions).to.deep.equal([{ id: 'good' }]);
    const days = await rows<{ storage_bytes: number; succeeded: number }>(
      projectId,
      'SELECT storage_bytes, succeeded FROM usage_day ORDER BY day',
    );
    expect(days).to.deep.equal([
      { storage_bytes: 1, succeeded: 1 },
      // Today's, of what is stored now.
      { storage_bytes: 0, succeeded: 0 },
    ]);
    expect((await planned(projectId)).id).to.not.equal(first.id);
  });

  it('removes what many requests have left in batches, and goes on at once if there is more', async () => {
    const { projectId } = await inTransaction(database.owner, (tx) => createProject(tx, 'many'));
    const values = Array.from({ length: 105_000 }, (_, at) => String(at));
    await answer(projectId, '25 hours', ...values);
    const tidied = async () => {
      await tidy(projectId);
      const [left] = await rows<{ n: number }>(
        projectId,
        'SELECT count(*)::integer AS n FROM idempotency',
      );
      return [left!.n, (await planned(projectId)).due];
    };
    expect(await tidied()).to.deep.equal([5_000, true]);
    expect(await tidied()).to.deep.equal([0, false]);
  });

  it('removes the rest if something cannot be removed, and says so', async () => {
    const { projectId } = await inTransaction(database.owner, (tx) => createProject(tx, 'stuck'));
    await answer(projectId, '25 hours', 'old');
    await inProject(database.owner, projectId, (tx) =>
      query(
        tx,
        `INSERT INTO usage_day (project_id, day, storage_bytes, succeeded, failed)
         SELECT $1, (now() AT TIME ZONE 'UTC')::date - 366, 1, 1, 1`,
        [projectId],
      ),
    );
    const superuser = await openDatabase(database.urls.superuserUrl, { poolSize: 1 });
    const asSuperuser = (sql: string) => inTransaction(superuser, (tx) => query(tx, sql, []));
    const lines: string[] = [];
    try {
      await asSuperuser(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'not now'; END $$`);
      await asSuperuser(
        `CREATE TRIGGER stuck BEFORE DELETE ON idempotency EXECUTE FUNCTION refuse()`,
      );
      const log = pino({}, { write: (line: string) => void lines.push(line) });
      await tidy(projectId, { log });
    } finally {
      await asSuperuser('DROP FUNCTION refuse() CASCADE');
      await superuser.destroy();
    }
    expect(await rows(projectId, 'SELECT value FROM idempotency')).to.have.length(1);
    const days = await rows<{ day: string }>(projectId, 'SELECT FROM usage_day');
    expect(days, 'only that of today').to.have.length(1);
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0]!)).to.deep.include({
      part: 'idempotency',
      msg: 'a part of the upkeep failed',
    });
  });

  it('reports the last downloads of a series, and forgets those that are as old as events', async () => {
    const { projectId } = await inTransaction(database.owner, (tx) =>
      createProject(tx, 'downloads'),
    );
    await inProject(database.api, projectId, (tx) =>
      query(
        tx,
        `INSERT INTO object_download (project_id, object_id, delivered_object_id, content, via,
           actor_type, actor_id, count, first_at, last_at, pending, pending_since, reported_at)
         SELECT $1, o.id, o.id, 'original', 'direct', 'api_key', 'key', 9, now() - o.age, now() - o.age,
           o.pending, now() - o.age, now() - o.reported
         FROM (VALUES ('due', interval '30 minutes', 4, interval '61 minutes'),
           ('recent', '30 minutes', 4, '59 minutes'), ('done', '89 days', 0, '89 days'),
           ('old', '91 days', 0, '91 days')) AS o (id, age, pending, reported)`,
        [projectId],
      ),
    );
    await tidy(projectId);
    const left = await rows<{ object_id: string; pending: number }>(
      projectId,
      'SELECT object_id, pending FROM object_download ORDER BY object_id',
    );
    expect(left).to.deep.equal([
      { object_id: 'done', pending: 0 },
      { object_id: 'due', pending: 0 },
      { object_id: 'recent', pending: 4 },
    ]);
    const events = await rows<{ resource_id: string; count: number }>(
      projectId,
      `SELECT resource_id, (data->>'count')::integer AS count FROM event
       WHERE type = 'dam.object.downloaded'`,
    );
    expect(events).to.deep.equal([{ resource_id: 'due', count: 4 }]);
  });

  it('purges objects whose time in the trash or since rejection has expired', async () => {
    const project = await database.createProject();
    const put = async (ago: string, state = 'trashed'): Promise<string> => {
      const id = newId('object');
      await inProject(database.api, project, (tx) =>
        query(
          tx,
          `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, trashed_at, updated_at)
           VALUES ($1, $2, $4, 'f', 'text/plain', 1, 's', 'upload',
             CASE $4 WHEN 'trashed' THEN now() - $3::interval END, now() - $3::interval)`,
          [id, project, ago, state],
        ),
      );
      const [task] = await inProject(database.api, project, (tx) =>
        schedule(tx, project, id, { kind: 'object.purge', payload: { object_id: id } }),
      );
      await purgeObject({}, await take(task!));
      return id;
    };
    const over = [
      await put('31 days'),
      await put('31 days', 'rejected'),
      await put('31 days', 'failed'),
    ];
    const waiting = [
      await put('29 days'),
      await put('29 days', 'rejected'),
      await put('31 days', 'available'),
    ];
    const left = await rows<{ id: string }>(project, 'SELECT id FROM object');
    expect(left.map(({ id }) => id)).to.have.members(waiting);
    const told = await rows<{ resource_id: string }>(
      project,
      `SELECT resource_id FROM event WHERE type = 'dam.object.purged'`,
    );
    expect(told.map(({ resource_id }) => resource_id)).to.have.members(over);
  });

  it('purges the image with its object, its renditions and its variants', async () => {
    const project = await database.createProject();
    const origin = originOf(project);
    const received = await storage.receive(project, Readable.from([Buffer.from('a')]), {
      maxBytes: 1,
    });
    const upload = async (tx: Tx) => ({
      filename: 'a.png',
      mime: 'image/png',
      content: await retainBytes(tx, project, received),
      tags: [],
      traits: [],
      metadata: {},
      onDuplicate: 'allow' as const,
    });
    const [gone, kept] = await inProject(database.api, project, async (tx) => [
      (await createFromUpload(tx, origin, await upload(tx))).object,
      (await createFromUpload(tx, origin, await upload(tx))).object,
    ]);
    await inProject(database.api, project, (tx) => trashObject(tx, origin, gone!));
    for (const statement of [
      `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
       SELECT project_id, id, 'thumb', 'image/webp', 's', 1, 1, 1 FROM image`,
      `INSERT INTO object_variant (project_id, object_id, variant)
       SELECT project_id, id, 'strip:gps' FROM object`,
      `UPDATE object SET trashed_at = now() - interval '31 days' WHERE state = 'trashed'`,
    ]) {
      await rows(project, statement);
    }
    const [task] = await rows<{ id: string }>(
      project,
      `SELECT id FROM task WHERE kind = 'object.purge' AND project_id = '${project}'`,
    );
    const [image] = await rows<{ id: string }>(
      project,
      `SELECT id FROM image WHERE object_id = '${gone!.id}'`,
    );
    await purgeObject({}, await take(task!.id));
    for (const table of ['image', 'object_variant', 'object']) {
      const column = table === 'object' ? 'id' : 'object_id';
      const left = await rows<{ id: string }>(project, `SELECT ${column} AS id FROM ${table}`);
      expect(left, table).to.deep.equal([{ id: kept!.id }]);
    }
    expect(await rows(project, 'SELECT FROM rendition')).to.have.length(1);
    const told = await rows(
      project,
      `SELECT type, resource_id, actor_type FROM event WHERE type LIKE '%.purged'
         AND project_id = '${project}' ORDER BY ordinal`,
    );
    expect(told).to.deep.equal([
      { type: 'dam.object.purged', resource_id: gone!.id, actor_type: 'system' },
      { type: 'dam.image.purged', resource_id: image!.id, actor_type: 'system' },
    ]);
  });

  it('purges an expired upload with its bytes, and its record a week later', async () => {
    const project = await database.createProject();
    const origin = originOf(project);
    const tasks = `SELECT id FROM task WHERE kind = 'upload.expire'`;
    const id = newId('upload');
    await inProject(database.api, project, (tx) =>
      createUpload(tx, origin, {
        id,
        keyId: 'k',
        length: 10,
        filename: 'f',
        declaredMime: null,
        tags: [],
        metadata: {},
        onDuplicate: 'reuse',
        given: '',
      }),
    );
    await storage.partials.append(project, id, 0, Readable.from([Buffer.from('abc')]), {
      maxBytes: 10,
    });
    const run = async () => {
      const [task] = await rows<{ id: string }>(project, tasks);
      await expireUpload({ storage }, await take(task!.id));
    };
    /** Runs it by a clock that is wrong by this much. */
    const runAt = async (ahead: number) => {
      mock.timers.enable({ apis: ['Date'], now: Date.now() + ahead });
      await run().finally(() => mock.timers.reset());
    };
    const age = (by: string) =>
      inProject(database.api, project, (tx) =>
        query(tx, `UPDATE upload SET expires_at = now() - $1::interval`, [by]),
      );
    const state = () => rows<{ state: string }>(project, 'SELECT state FROM upload');
    await run();
    expect(await state(), 'before its time').to.deep.equal([{ state: 'uploading' }]);
    await age('1 second');
    await runAt(-3_600_000);
    expect(await state()).to.deep.equal([{ state: 'expired' }]);
    expect(await storage.partials.offset(project, id)).to.equal(0);
    const [next] = await rows<{ days: number }>(
      project,
      `SELECT extract(day FROM due_at - now())::integer AS days FROM task WHERE kind = 'upload.expire'`,
    );
    expect(next?.days).to.equal(6);
    await runAt(30 * 86_400_000);
    expect(await state()).to.deep.equal([{ state: 'expired' }]);
    await age('8 days');
    await run();
    expect(await state()).to.deep.equal([]);
    expect(await rows(project, tasks)).to.deep.equal([]);
  });
});
