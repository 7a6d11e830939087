import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@scriptorium/contracts/scopes';
import { Registry } from 'prom-client';
import { createProject, issueKey } from '../../src/access/projects.ts';
import { createRateLimits, createRequestCounts } from '../../src/access/rate-limits.ts';
import { createSeal } from '../../src/access/seal.ts';
import { createSigner } from '../../src/access/signer.ts';
import { createApp } from '../../src/api/app.ts';
import { type ClientLimits, clientLimits } from '../../src/api/connections/limits.ts';
import type { ApiSettings, Deps } from '../../src/api/deps.ts';
import type { Route } from '../../src/api/frame/route.ts';
import { listen } from '../../src/api/listen.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createDownloadCounts } from '../../src/library/downloads/counts.ts';
import { createEmbeddingCounts } from '../../src/library/embeddings/counts.ts';
import { openUploadLocks } from '../../src/library/uploads/locks.ts';
import { createLogger } from '../../src/logger.ts';
import { listenForEvents } from '../../src/outbox/feed/listen.ts';
import { openLocalStorage } from '../../src/storage/local.ts';
import { noTracing } from '../../src/tracing.ts';
import { createDialer } from '../../src/webhooks/dialing/dial.ts';
import { createDatabase, stopAfterRun, type TestDatabase } from './services.ts';

export interface CallOptions {
  /** Sent as JSON, unless it is a string or bytes. */
  body?: unknown;
  /** `undefined` takes a header away that would be sent otherwise. */
  headers?: Record<string, string | undefined>;
  key?: string;
  projectId?: string;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Parses the body as JSON; throws if it is not. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  json: any;
}

export interface Tenant {
  projectId: string;
  keyId: string;
  key: string;
}

export interface TestApi extends Tenant {
  url: string;
  /** Another project, with a separate key. */
  other: Tenant;
  deps: Deps;
  database: TestDatabase;
  /** The folder that the API stores bytes in. */
  storageRoot: string;
  /** The number of commits that rang the bell. */
  wakeCount(): number;
  /** Calls the API as the first project by default. */
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** One more key of the first project. */
  issue(scopes: Scope[], rates?: { read?: number; write?: number }): Promise<Tenant>;
  /** Rows behind all walls, as a superuser. */
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** The same service as two more projects see it. Its `close` leaves the service running. */
  withProjects(): Promise<TestApi>;
  close(): Promise<void>;
}

interface StartOptions {
  /** Default: a new one. It is dropped at the end. */
  database?: TestDatabase;
  /** Serves these instead of the API's own. */
  routes?: readonly Route[];
  settings?: Partial<ApiSettings>;
  clientLimits?: Partial<ClientLimits>;
  /** Replaces parts of what the API works with. */
  deps?: (defaultDeps: Deps, database: TestDatabase) => Partial<Deps> | Promise<Partial<Deps>>;
}

/** Counts by key in one minute that never ends: no count starts over while a test looks at it. */
export const frozenRateLimits = (): Pick<Deps, 'rateLimits'> => ({
  rateLimits: createRateLimits(null, () => 0),
});

/** The identity provider of tests in which no person signs in. */
const unreachableProvider: ApiSettings['signIn'] = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'scriptorium',
  clientSecret: 'secret',
  name: 'Test',
  timeoutSeconds: 1,
  roleClaim: null,
  groupRoles: new Map(),
};

/** Starts the API on a free port with a separate database that contains two projects. */
export async function startApi(options: StartOptions = {}): Promise<TestApi> {
  const testDatabase = options.database ?? (await createDatabase());
  const owner = await openDatabase(testDatabase.ownerUrl, { poolSize: 2 });
  const superuser = await openDatabase(testDatabase.superuserUrl, { poolSize: 2 });
  const database = await openDatabase(testDatabase.apiUrl, { poolSize: 8 });
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-api-'));
  let wakeCount = 0;
  const logger = createLogger(process.env.LOG_LEVEL ?? 'silent', 'test');
  const settings: ApiSettings = {
    trustProxy: false,
    ocrLanguages: null,
    publicUrl: null,
    corsOrigins: [],
    operatorPassword: null,
    isBoardWritable: false,
    signIn: unreachableProvider,
    localSignInToken: null,
    webhookAllowCidrs: ['127.0.0.0/8'],
    checkResponses: true,
    ...options.settings,
  };
  const dialer = createDialer({
    allowCidrs: settings.webhookAllowCidrs,
    perOriginConnections: 4,
    connectTimeoutMs: 60_000,
  });
  const events = listenForEvents(testDatabase.apiUrl, logger);
  const uploadLocks = openUploadLocks(testDatabase.apiUrl, logger);
  const defaultDeps: Deps = {
    database,
    redis: null,
    queues: null,
    storage: await openLocalStorage(folder),
    uploadLocks,
    logger,
    tracing: noTracing,
    events,
    dialer,
    wake: () => {
      wakeCount += 1;
    },
    seal: createSeal(randomBytes(32).toString('base64')),
    signer: createSigner(randomBytes(32).toString('base64')),
    rateLimits: createRateLimits(null),
    // Tests flush: statements of a timer would disturb those that count statements.
    requestCounts: createRequestCounts(database, logger, null),
    downloadCounts: createDownloadCounts(database, logger, { everyMs: null }),
    embedder: null,
    embeddingCounts: createEmbeddingCounts(database, logger, null),
    metrics: new Registry(),
    shutdown: { hasBegun: false },
    settings,
  };
  const deps = { ...defaultDeps, ...(await options.deps?.(defaultDeps, testDatabase)) };
  const limits = { ...clientLimits, ...options.clientLimits };
  const running = await listen(createApp(deps, options.routes, limits), '127.0.0.1', 0, limits);
  const url = `http://127.0.0.1:${running.port}`;
  const withProjects = async (close: () => Promise<void>): Promise<TestApi> => {
    const [first, other] = await Promise.all([makeTenant(owner, 'One'), makeTenant(owner, 'Two')]);
    return {
      ...first,
      url,
      other,
      deps,
      database: testDatabase,
      storageRoot: folder,
      wakeCount: () => wakeCount,
      call: (method, path, callOptions = {}) => call(url, first, method, path, callOptions),
      issue: async (scopes, rates = {}) => {
        const issued = await inTransaction(owner, (tx) =>
          issueKey(tx, first.projectId, {
            name: 'Test',
            scopes,
            read_per_minute: rates.read ?? null,
            write_per_minute: rates.write ?? null,
          }),
        );
        return { projectId: first.projectId, keyId: issued.keyId, key: issued.secret };
      },
      rows: (sql, values = []) => superuser.query(sql, values),
      withProjects: () => withProjects(async () => undefined),
      close,
    };
  };
  return withProjects(async () => {
    // Open streams and waiting requests end with it.
    await events.close();
    await running.stop(1_000);
    await uploadLocks.close();
    await dialer.close();
    await database.destroy();
    await owner.destroy();
    await superuser.destroy();
    await testDatabase.drop();
    await rm(folder, { recursive: true, force: true });
  });
}

let sharedApi: Promise<TestApi> | undefined;

/**
 * The API of the whole run, with two separate projects for each caller: for suites that need no
 * settings, no other's absence, and no count over all projects. Its `close` does nothing.
 */
export async function useSharedApi(): Promise<TestApi> {
  sharedApi ??= startShared();
  return (await sharedApi).withProjects();
}

async function startShared(): Promise<TestApi> {
  const api = await startApi();
  stopAfterRun(api.close);
  return api;
}

async function makeTenant(owner: Database, name: string): Promise<Tenant> {
  const project = await inTransaction(owner, (tx) => createProject(tx, name));
  return { projectId: project.projectId, keyId: project.keyId, key: project.secret };
}

export async function call(
  url: string,
  tenant: Tenant,
  method: string,
  path: string,
  options: CallOptions,
): Promise<ApiResponse> {
  const { body } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const headers: Record<string, string | undefined> = {
    authorization: `Bearer ${options.key ?? tenant.key}`,
    'x-service-project-id': options.projectId ?? tenant.projectId,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...Object.fromEntries(
      Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  };
  const response = await fetch(url + path, {
    method,
    headers: Object.entries(headers).filter(
      (header): header is [string, string] => header[1] !== undefined,
    ),
    redirect: 'manual',
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}
