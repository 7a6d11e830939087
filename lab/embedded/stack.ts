import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LockHolder, takeLock } from './processes/lock.ts';
import { isPortTaken } from './processes/ports.ts';
import { type Supervised, supervise } from './processes/supervise.ts';
import { startTether } from './processes/tether.ts';
import {
  checkout,
  checkoutPrograms,
  type Program,
  type Programs,
  startProgram,
} from './programs.ts';
import { createProgress } from './progress.ts';
import {
  type Access,
  ensureLocalPerson,
  ensureProject,
  makeProject,
  storedAccess,
} from './project.ts';
import { isReady } from './ready.ts';
import {
  type DevSettings,
  readSettings,
  resolveSecrets,
  settingsFile,
  writeSettings,
} from './settings.ts';
import { StartError } from './start-error.ts';
import { openPostgres, openRedis, progressOf, type StackContext } from './stores.ts';
import { findEnglishModel } from './tessdata.ts';

interface StackOptions {
  /** PORT, DATABASE_*, REDIS_URL, STORAGE_URL and secrets are read from here. */
  env: NodeJS.ProcessEnv;
  /** Default: `.data` of this checkout. */
  dataDir?: string;
  /**
   * Where the service's processes write: to the output of this process, or to `<dataDir>/logs`.
   * Default `inherit`.
   */
  output?: 'inherit' | 'files';
  /** Also receives the current step of a start that takes long. */
  log?: (message: string) => void;
  programs?: Programs;
  /** Aborts the start, which throws once everything is stopped. */
  signal?: AbortSignal;
}

export interface RunningStack {
  serviceUrl: string;
  projectId: string;
  apiKey: string;
  /** The link that signs the local person in to the portal. */
  signInUrl: string;
  operatorPassword: string;
  settingsFile: string;
  /** True when it was already running: stop() then leaves it alone. */
  reused: boolean;
  /** Resolves with a reason when one of its parts cannot be kept running. */
  failure: Promise<string>;
  /** Workers, server, Redis, Postgres, in that order. */
  stop(): Promise<void>;
}

export const defaultDataDir = resolve(checkout, '.data');
const grace = { worker: 40_000, server: 15_000 };

/**
 * Starts what the service requires and the environment does not provide (Postgres, Redis, the API
 * and workers), and creates a project with a key. Resolves when the API and the workers are ready,
 * however long that takes. Throws StartError if one already runs on this folder, if a process ends
 * or gets stuck, and for other problems that require action; everything that it started is stopped
 * then.
 */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const { env, output = 'inherit', log = () => {}, programs = checkoutPrograms } = options;
  const dataDir = resolve(options.dataDir ?? defaultDataDir);
  const port = readPort(env);
  await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o755 });
  const lock = takeLock(dataDir);
  if (!('release' in lock)) throw await alreadyRunning(dataDir, lock);

  const serviceUrl = `http://127.0.0.1:${port}`;
  const stopping = new AbortController();
  const signals = [stopping.signal, ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  const progress = createProgress({ log, signal });
  const reportTimer = setInterval(progress.reportIfDue, 1_000);
  const tether = startTether();
  const running: Supervised[] = [];
  let reportBroken: (reason: string) => void = () => {};
  const broken = new Promise<string>((resolveBroken) => {
    reportBroken = resolveBroken;
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    // In reverse order of starting: workers before the server, and both before their dependencies.
    for (const part of running.splice(0).reverse()) await part.stop();
    await tether.close();
    lock.release();
  };

  let projectCreation: Promise<Access> | undefined;
  const starts: Promise<Supervised>[] = [];
  try {
    if (await isPortTaken(port)) {
      throw new StartError(
        `Port ${port} is taken by another program: stop it, or choose another port with PORT=${port + 1}.`,
      );
    }
    const support: StackContext = { tether, log, giveUp: reportBroken, progress, signal };
    const storedSettings = await readSettings(dataDir);
    // The URL of the last start; `findRunningStack` waits for that of this start.
    if (storedSettings.SERVICE_URL)
      await writeSettings(dataDir, { ...storedSettings, SERVICE_URL: '' });
    const secrets = resolveSecrets(env, storedSettings);
    const postgres = await openPostgres(dataDir, env, support);
    if (postgres.supervised) running.push(postgres.supervised);
    const redis = await openRedis(dataDir, packagesDir(), env, support);
    if (redis.supervised) running.push(redis.supervised);

    const settings: DevSettings = {
      // Empty until everything is ready.
      SERVICE_URL: '',
      PROJECT_ID: storedSettings.PROJECT_ID ?? '',
      API_KEY: storedSettings.API_KEY ?? '',
      ...secrets,
      ...postgres.env,
      ...redis.env,
      STORAGE_URL: env.STORAGE_URL || pathToFileURL(join(dataDir, 'storage')).href,
    };
    await writeSettings(dataDir, settings);
    const processEnv = await progress.during('looking for the OCR model', () =>
      processEnvironment(env, settings, port, log),
    );

    // A project requires only the database, so it is created while the processes start. It is
    // stored at once for the next start, in case this one fails.
    if (!storedAccess(settings)) {
      projectCreation = makeProject(programs, processEnv, progress).then(async (access) => {
        await writeSettings(dataDir, { ...settings, ...access });
        return access;
      });
      // Its failure is reported where it is awaited.
      projectCreation.catch(() => undefined);
    }
    for (const name of ['server', 'worker'] as const) {
      const part = keepRunning(support, {
        name,
        file: programs[name],
        env: processEnv,
        graceMilliseconds: grace[name],
        ...(name === 'server' && { serves: () => isReady(serviceUrl) }),
        ...(output === 'files' && { outputFile: join(dataDir, 'logs', `${name}.log`) }),
      });
      // Its failure is reported where it is awaited.
      part.catch(() => undefined);
      starts.push(part);
    }
    running.push(...(await unlessBroken(Promise.all(starts), broken)));
    const access = await (projectCreation ??
      ensureProject(programs, serviceUrl, settings, processEnv, progress));
    const token = secrets.LOCAL_SIGN_IN_TOKEN;
    const signInUrl = await ensureLocalPerson(serviceUrl, access, token, progress);
    await writeSettings(dataDir, {
      ...settings,
      ...access,
      SERVICE_URL: serviceUrl,
      SIGN_IN_URL: signInUrl,
    });
    return {
      serviceUrl,
      projectId: access.PROJECT_ID,
      apiKey: access.API_KEY,
      signInUrl,
      operatorPassword: settings.OPERATOR_PASSWORD ?? '',
      settingsFile: settingsFile(dataDir),
      reused: false,
      failure: broken,
      stop,
    };
  } catch (error) {
    // This ends by itself.
    await projectCreation?.catch(() => undefined);
    stopping.abort();
    for (const part of await Promise.allSettled(starts)) {
      if (part.status === 'fulfilled' && !running.includes(part.value)) running.push(part.value);
    }
    await stop();
    throw error;
  } finally {
    clearInterval(reportTimer);
  }
}

function keepRunning(support: StackContext, program: Program): Promise<Supervised> {
  let isRestart = false;
  return supervise({
    ...support,
    name: program.name,
    signal: 'SIGTERM',
    start: (spawned) => {
      const progress = progressOf(support, isRestart);
      isRestart = true;
      return startProgram(program, progress, spawned);
    },
  });
}

/** @throws StartError if a part cannot be kept running meanwhile */
function unlessBroken<T>(work: Promise<T>, failure: Promise<string>): Promise<T> {
  return Promise.race([
    work,
    failure.then((reason) => {
      throw new StartError(reason);
    }),
  ]);
}

/** Packages are shared by all data folders of a checkout. */
function packagesDir(): string {
  return join(defaultDataDir, 'packages');
}

async function alreadyRunning(dataDir: string, { pid }: LockHolder): Promise<StartError> {
  const { SERVICE_URL } = await readSettings(dataDir);
  return new StartError(
    `A server already runs here (process ${pid}${SERVICE_URL ? `, ${SERVICE_URL}` : ''}): use that one, or stop it first.`,
  );
}

function readPort(env: NodeJS.ProcessEnv): number {
  const port = Number(env.PORT || 8080);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new StartError(`PORT is '${env.PORT}', which is not a port: set a number from 1 to 65535.`);
}

async function processEnvironment(
  env: NodeJS.ProcessEnv,
  settings: DevSettings,
  port: number,
  log: (message: string) => void,
): Promise<NodeJS.ProcessEnv> {
  const tessdata = env.TESSDATA_PATH
    ? { path: env.TESSDATA_PATH }
    : await findEnglishModel({
        dir: join(defaultDataDir, 'tessdata'),
        packagesDir: packagesDir(),
        log,
      });
  const { PROJECT_ID, API_KEY, SERVICE_URL, SIGN_IN_URL, ...forProcesses } = settings;
  return {
    ...env,
    ...forProcesses,
    PORT: String(port),
    HOST: '127.0.0.1',
    WORKERS: 'all',
    // In development, receivers of webhooks run on this machine.
    WEBHOOK_ALLOW_CIDRS: env.WEBHOOK_ALLOW_CIDRS ?? '127.0.0.0/8',
    ...(tessdata.path ? { TESSDATA_PATH: tessdata.path } : {}),
  };
}
