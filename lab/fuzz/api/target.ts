import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProject } from '../../../src/access/projects.ts';
import { createSeal } from '../../../src/access/seal.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { call, type Tenant } from '../../../test/support/api.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { FixtureMaker } from '../../../test/support/fixtures.ts';
import { readGauges } from '../../../test/support/metrics.ts';
import { openResources, type ResourceStack } from '../../../test/support/resources.ts';
import { createDatabase, makeFolder } from '../../../test/support/services.ts';
import { findFreePort } from '../../embedded/processes/ports.ts';
import { checkoutPrograms } from '../../embedded/programs.ts';
import { type SupervisedProgram, supervise } from '../../torture/supervise.ts';

/** The resources used by the API's process, in MiB. */
export interface Memory {
  resident: number;
  heap: number;
}

/** The server as it runs in production: a separate process with its own memory. */
export interface Target extends FixtureMaker {
  url: string;
  owner: Database;
  /** From the server's own metrics. */
  memory(): Promise<Memory>;
  /** The size of the database, in MiB. */
  databaseSize(): Promise<number>;
  /** Removes all rows and files of projects, so that the data does not grow with the run. */
  deleteProjects(projectIds: readonly string[]): Promise<void>;
  /** Incidents in the process: exits, and logged errors. */
  incidents(): string[];
  close(): Promise<void>;
}

/** Incidents of a server whose log contains only errors: its exit, and its log. */
export function incidentsOf(server: Pick<SupervisedProgram, 'failure' | 'log'>): string[] {
  // If the log has no line about the start, every exit happened before it was ready.
  const last = server.failure();
  const lines = server.log().split('\n');
  return [
    ...(last === null ? [] : [`The server ended. Its log: ${last || 'empty'}`]),
    ...lines.filter((line) => line !== ''),
  ];
}

/** How long the server may take to start. */
const startTimeoutMs = 600_000;

export function startTarget(): Promise<Target> {
  return openResources(open);
}

async function open(resources: ResourceStack): Promise<Target> {
  const database = await resources.open(createDatabase(), (one) => one.drop());
  const connect = (url: string) =>
    resources.open(openDatabase(url, { poolSize: 2 }), (one) => one.destroy());
  const owner = await connect(database.ownerUrl);
  const superuser = await connect(database.superuserUrl);
  const folder = await resources.open(makeFolder('fuzz'), (one) =>
    rm(one, { recursive: true, force: true }),
  );
  const storage = join(folder, 'storage');
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const secret = randomBytes(32).toString('base64');
  const server = supervise(
    'server',
    checkoutPrograms.server,
    {
      PATH: process.env.PATH,
      DATABASE_URL: database.apiUrl,
      STORAGE_URL: pathToFileURL(storage).href,
      SECRET_KEY: secret,
      SIGNING_KEY: randomBytes(32).toString('base64'),
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      // Each request uses a different address, because limits by address are not tested here.
      TRUST_PROXY: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      // Invitations require an identity provider. No person signs in.
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'scriptorium',
      OIDC_CLIENT_SECRET: 'secret',
      LOG_LEVEL: 'error',
    },
    join(folder, 'server.log'),
  );
  await resources.open(Promise.resolve(server), (one) => one.end());
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, startTimeoutMs).catch(
    (error: unknown) => {
      throw new Error(`The server does not start: ${server.log().slice(-2_000)}`, { cause: error });
    },
  );
  const rows: Target['rows'] = (sql, values = []) => superuser.query(sql, values);
  const tables = await rows<{ name: string }>(`
    SELECT c.relname AS name FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id' AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition`);
  const project = await inTransaction(owner, (tx) => createProject(tx, 'Fuzz'));
  const tenant: Tenant = {
    projectId: project.projectId,
    keyId: project.keyId,
    key: project.secret,
  };
  return {
    url,
    owner,
    database,
    rows,
    deps: { seal: createSeal(secret) },
    call: (method, path, options = {}) => call(url, tenant, method, path, options),
    async memory() {
      const gauge = await readGauges(metricsPort);
      return {
        resident: gauge('process_resident_memory_bytes') / 2 ** 20,
        heap: gauge('nodejs_heap_size_used_bytes') / 2 ** 20,
      };
    },
    async databaseSize() {
      const [size] = await rows<{ mib: number }>(
        'SELECT pg_database_size(current_database())::float8 / 1048576 AS mib',
      );
      return size?.mib ?? 0;
    },
    async deleteProjects(projectIds) {
      const list = projectIds.map((id) => `'${id}'`).join(', ');
      const deletes = tables.map(
        ({ name }) => `DELETE FROM "${name}" WHERE project_id IN (${list});`,
      );
      // Disables triggers and foreign keys: everything that refers to these rows is deleted with
      // them.
      deletes.push(`DELETE FROM project WHERE id IN (${list});`);
      await rows(
        `BEGIN; SET LOCAL session_replication_role = replica; ${deletes.join('\n')} COMMIT;`,
      );
      for (const id of projectIds) await rm(join(storage, id), { recursive: true, force: true });
    },
    incidents: () => incidentsOf(server),
    close: resources.close,
  };
}
