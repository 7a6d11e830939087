import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { expect } from 'chai';
import { type RunningPostgres, startPostgres } from '../../lab/embedded/postgres/postgres.ts';
import { createProject } from '../../src/access/projects.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { prepareDatabase } from '../../src/db/preparing/prepare.ts';
import { DatabaseUnreachable, inTransaction, query } from '../../src/db/transaction.ts';
import { StorageError } from '../../src/storage/storage.ts';
import type { RunningWorker } from '../../src/workers/deps.ts';
import { isMachineFault } from '../../src/workers/machine-fault.ts';
import { startTaskWorker } from '../../src/workers/runtime.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });

describe('a fault of the machine', () => {
  it('is distinguished from a fault of the work', () => {
    const machine = [
      coded('ENOSPC'),
      coded('EMFILE'),
      coded('ECONNREFUSED'),
      coded('53100'),
      coded('57P01'),
      new Error('Connection terminated unexpectedly'),
      new DatabaseUnreachable(new Error('timeout')),
      new StorageError('storage_full', 'full'),
      new StorageError('unavailable', 'the store does not answer'),
      new StorageError('aborted', 'away', { cause: coded('ECONNRESET') }),
      Object.assign(new Error('slow down'), { $metadata: { httpStatusCode: 503 } }),
      new EngineError('machine_fault', 'no room'),
    ];
    expect(machine.filter((error) => !isMachineFault(error))).to.deep.equal([]);
    const work = [
      new Error('it is broken'),
      coded('23505'),
      coded('ENOENT'),
      new StorageError('not_found', 'gone'),
      Object.assign(new Error('forbidden'), { $metadata: { httpStatusCode: 403 } }),
      new EngineError('crashed', 'crashed'),
      'text',
      null,
    ];
    expect(work.filter(isMachineFault)).to.deep.equal([]);
  });

  describe('for a worker', () => {
    let folder: string;
    let postgres: RunningPostgres;
    let databases: Database[];
    let owner: Database;
    let server: TestRedis;
    let workers: TestWorkers;
    let worker: RunningWorker;
    /** Runs before each upkeep run and may make it fail; null lets the runs succeed. */
    let fault: (() => Promise<void>) | null = null;
    let runs = 0;

    before(async () => {
      folder = await realpath(await mkdtemp(join(tmpdir(), 'scriptorium-fault-')));
      // Postgres does not run as root, and mkdtemp denies access to others.
      await chmod(folder, 0o711);
      postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
      const secret = randomBytes(12).toString('hex');
      const urls = await prepareDatabase({
        superuserUrl: postgres.superuserUrl,
        database: 'faults',
        passwords: { owner: secret, api: secret, worker: secret, relay: secret, neighbour: secret },
      });
      databases = await Promise.all(
        [urls.ownerUrl, urls.workerUrl, urls.relayUrl].map((url) => openDatabase(url)),
      );
      const [own, work, relay] = databases;
      owner = own!;
      server = await startPrivateRedis();
      workers = await prepareWorkers({ worker: work!, relay: relay! }, server.url);
      workers.start('relay');
      const storage = {
        ...workers.deps.storage,
        cleanTemp: async (age: number) => {
          runs += 1;
          if (fault) await fault();
          return workers.deps.storage.cleanTemp(age);
        },
      };
      worker = startTaskWorker({ ...workers.deps, storage }, 'maintenance', 1);
    });
    after(async () => {
      await worker.stop(2_000);
      await workers.stop();
      await server.remove();
      for (const database of databases) await database.destroy();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** A new project whose upkeep is due, and its task. */
    const newTask = async (): Promise<string> => {
      const { projectId } = await inTransaction(owner, (tx) => createProject(tx, 'fault'));
      const [task] = await inTransaction(owner, (tx) =>
        query<{ id: string }>(
          tx,
          `SELECT id FROM task WHERE project_id = $1 AND kind = 'project.tidy'`,
          [projectId],
        ),
      );
      await makeDue(task!.id);
      return task!.id;
    };
    /** The task once it has been postponed. */
    const rested = (id: string, after = 0) =>
      eventually(async () => {
        const [row] = await inTransaction(owner, (tx) =>
          query<{ crashes: number; last_error: string; resting: boolean; lease_epoch: number }>(
            tx,
            `SELECT crashes, last_error, lease_epoch, state = 'pending' AND due_at > now() AS resting
             FROM task WHERE id = $1`,
            [id],
          ),
        );
        return row?.resting && row.lease_epoch > after ? row : null;
      });
    const makeDue = (id: string) =>
      inTransaction(owner, (tx) => query(tx, 'UPDATE task SET due_at = now() WHERE id = $1', [id]));
    const gone = (id: string) =>
      eventually(async () => {
        const rows = await inTransaction(owner, (tx) =>
          query(tx, 'SELECT FROM task WHERE id = $1', [id]),
        );
        return rows.length === 0;
      });

    it('postpones work as often as needed, without counting a crash', async () => {
      fault = async () => {
        throw coded('ENOSPC', 'ENOSPC: no space left on device');
      };
      const id = await newTask();
      let epoch = 0;
      for (let round = 0; round < 4; round++) {
        const task = await rested(id, epoch);
        expect(task.crashes).to.equal(0);
        expect(task.last_error).to.include('ENOSPC');
        epoch = task.lease_epoch;
        if (round === 3) fault = null;
        await makeDue(id);
      }
      await gone(id);
    });

    const newerTask = async (): Promise<string> => {
      const id = await inTransaction(owner, async (tx) => {
        const { projectId } = await createProject(tx, 'newer');
        const [task] = await query<{ id: string }>(
          tx,
          `UPDATE task SET kind = 'project.unheard_of', due_at = now()
           WHERE project_id = $1 AND kind = 'project.tidy' RETURNING id`,
          [projectId],
        );
        return task!.id;
      });
      workers.deps.wake();
      return id;
    };

    it('leaves a task of a newer release to workers that know its kind', async () => {
      const id = await newerTask();
      const task = await rested(id);
      expect(task.crashes).to.equal(0);
      expect(task.last_error).to.include('project.unheard_of');
      await inTransaction(owner, (tx) =>
        query(tx, `UPDATE task SET kind = 'project.tidy' WHERE id = $1`, [id]),
      );
      await makeDue(id);
      await gone(id);
    });

    it('leaves a task of a newer release as soon as Postgres lets it', async () => {
      const run = (sql: string) => inTransaction(owner, (tx) => query(tx, sql, []));
      await run('CREATE SEQUENCE refusals');
      await run(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          IF nextval('refusals') <= 2 THEN
            RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full';
          END IF;
          RETURN NEW;
        END $$`);
      await run(`CREATE TRIGGER refuse BEFORE UPDATE ON task FOR EACH ROW
        WHEN (NEW.last_error LIKE 'A worker did not know%') EXECUTE FUNCTION refuse()`);
      try {
        const { crashes, lease_epoch } = await rested(await newerTask());
        expect({ crashes, lease_epoch }).to.deep.equal({ crashes: 0, lease_epoch: 1 });
      } finally {
        await run('DROP FUNCTION refuse CASCADE');
      }
    });

    it('counts no crash if Postgres is down, once it is back', async () => {
      const before = runs;
      let met: unknown;
      fault = async () => {
        fault = null;
        await postgres.stop();
        // The run continues but cannot store its result.
        met = await inTransaction(workers.deps.database, (tx) => query(tx, 'SELECT 1', [])).catch(
          (error: unknown) => error,
        );
        throw met;
      };
      const id = await newTask();
      await eventually(async () => met);
      const { port } = postgres;
      postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false, port });
      const task = await rested(id);
      expect(task.crashes).to.equal(0);
      expect(runs).to.equal(before + 1);
      await makeDue(id);
      await gone(id);
    });
  });
});
