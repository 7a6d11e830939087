import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTerminal } from '@scriptorium/contracts/jobs';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { findFreePort } from '../../lab/embedded/processes/ports.ts';
import { checkoutPrograms, type Programs, runTypeScript } from '../../lab/embedded/programs.ts';
import { createProject } from '../../src/access/projects.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { eventually } from './eventually.ts';
import { checkout } from './run.ts';
import {
  createDatabase,
  endWithRun,
  startPrivateRedis,
  type TestDatabase,
  type TestRedis,
} from './services.ts';

/** One of our programs, as a separate process. */
export interface Program {
  pid: number;
  /** SIGKILL, as a crash or the kernel would. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<number | null>;
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<unknown>;
  /** Returns its output so far. */
  output(): string;
}

/** The whole service as processes, with a separate database, Redis and folder. */
export interface TestService {
  url: string;
  projectId: string;
  apiKey: string;
  database: TestDatabase;
  /** The owner's view, behind all walls. */
  owner: Database;
  redis: TestRedis;
  /** The folder with the stored bytes. */
  storageRoot: string;
  startServer(env?: NodeJS.ProcessEnv): Promise<Program>;
  startWorker(queues: string, env?: NodeJS.ProcessEnv): Program;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  upload(bytes: Buffer, filename: string): Promise<ObjectRecord>;
  startOcr(objectId: string, options?: object): Promise<JobRecord>;
  job(id: string): Promise<JobRecord>;
  /** Waits for a job to end. */
  untilFinished(id: string, limitMs?: number): Promise<JobRecord>;
  close(): Promise<void>;
}

/** Where the programs of a service are, and how they are started. */
export interface Installation {
  folder: string;
  /** The arguments of Node before the file. */
  nodeArguments: readonly string[];
  programs: Pick<Programs, 'server' | 'worker'>;
}

const checkoutInstallation: Installation = {
  folder: checkout,
  nodeArguments: runTypeScript,
  programs: checkoutPrograms,
};

export async function openService(
  installation: Installation = checkoutInstallation,
): Promise<TestService> {
  const database = await createDatabase();
  const owner = await openDatabase(database.superuserUrl, { poolSize: 3 });
  const redis = await startPrivateRedis();
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-service-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const project = await inTransaction(owner, (tx) => createProject(tx, 'flow'));
  const key = () => randomBytes(32).toString('base64');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    DATABASE_URL: database.apiUrl,
    DATABASE_WORKER_URL: database.workerUrl,
    DATABASE_RELAY_URL: database.relayUrl,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(folder).href,
    SECRET_KEY: key(),
    SIGNING_KEY: key(),
    PORT: String(port),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_RETRY_SCHEDULE: '0,1,1,2,2,3,3,5,5,5',
    // Each keeps a spare child ready, whose start costs as much as the worker's.
    OCR_PROCESSES: '1',
    IMAGING_PROCESSES: '1',
    LOG_LEVEL: process.env.TEST_LOG ?? 'warn',
  };
  const programs = new Set<Program>();
  const start = (file: string, extra: NodeJS.ProcessEnv = {}): Program => {
    const program = startProgram(installation, file, { ...env, ...extra });
    programs.add(program);
    return program;
  };
  const call: TestService['call'] = (method, path, body, headers = {}) =>
    fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${project.secret}`,
        'X-Service-Project-ID': project.projectId,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const job = async (id: string): Promise<JobRecord> => {
    const response = await call('GET', `/v1/documents/jobs/${id}`);
    if (response.status !== 200) throw new Error(`The job answered ${response.status}.`);
    return (await response.json()) as JobRecord;
  };
  return {
    url,
    projectId: project.projectId,
    apiKey: project.secret,
    database,
    owner,
    redis,
    storageRoot: folder,
    async startServer(extra = {}) {
      const program = start(installation.programs.server, extra);
      const ended = program.exited.then(() => {
        throw new Error(`The server exited during startup: ${program.output()}`);
      });
      ended.catch(() => undefined);
      const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
      await Promise.race([eventually(isReady), ended]);
      return program;
    },
    startWorker: (queues, extra = {}) =>
      start(installation.programs.worker, { WORKERS: queues, ...extra }),
    call,
    async upload(bytes, filename) {
      const response = await fetch(`${url}/v1/objects`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${project.secret}`,
          'X-Service-Project-ID': project.projectId,
          'Content-Type': 'application/octet-stream',
          'X-Filename': filename,
        },
        body: new Uint8Array(bytes),
      });
      if (response.status !== 201) {
        throw new Error(`The upload answered ${response.status}: ${await response.text()}`);
      }
      return (await response.json()) as ObjectRecord;
    },
    async startOcr(objectId, options = {}) {
      const response = await call('POST', '/v1/documents/jobs', {
        source_object_id: objectId,
        operations: [{ op: 'ocr', options }],
      });
      if (response.status !== 202) {
        throw new Error(`The job answered ${response.status}: ${await response.text()}`);
      }
      return (await response.json()) as JobRecord;
    },
    job,
    untilFinished: (id, limitMs) =>
      eventually(async () => {
        const current = await job(id);
        return isTerminal(current.state) ? current : null;
      }, limitMs),
    async close() {
      await Promise.all([...programs].map((program) => program.kill()));
      await owner.destroy();
      await redis.remove();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function startProgram(
  { folder, nodeArguments }: Installation,
  file: string,
  env: NodeJS.ProcessEnv,
): Program {
  const child: ChildProcess = spawn(process.execPath, [...nodeArguments, file], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  void endWithRun(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (process.env.TEST_LOG) process.stderr.write(chunk);
    });
  }
  const exited = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    pid: child.pid!,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    exited,
    output: () => Buffer.concat(chunks).toString('utf8'),
  };
}
