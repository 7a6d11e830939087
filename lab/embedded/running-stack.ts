import { setTimeout as delay } from 'node:timers/promises';
import { findHolder } from './processes/lock.ts';
import { createProgress } from './progress.ts';
import { isReady } from './ready.ts';
import { type DevSettings, readSettings, settingsFile } from './settings.ts';
import { defaultDataDir, type RunningStack } from './stack.ts';
import { StartError } from './start-error.ts';

/**
 * The stack that already runs on this folder, once it is ready, or undefined. Its stop() does
 * nothing, because another process owns it.
 */
export async function findRunningStack(
  log: (message: string) => void = () => {},
  dataDir: string = defaultDataDir,
): Promise<RunningStack | undefined> {
  const holder = findHolder(dataDir);
  if (!holder) return undefined;
  const progress = createProgress({ log });
  const reportTimer = setInterval(progress.reportIfDue, 1_000);
  try {
    const settings = await progress.during(
      `waiting for process ${holder.pid}, which is starting the service`,
      (step) => step.pollUntil(() => completeSettings(dataDir)),
      // It gives up without progress.
      { mayStall: true },
    );
    if (settings === 'stopped') return undefined;
    const serviceUrl = settings.SERVICE_URL ?? '';
    const stopped = `The server that ran on ${dataDir} has stopped.`;
    await progress.during(`waiting for ${serviceUrl}/readyz`, (step) =>
      step.pollUntil(async () => {
        if (!findHolder(dataDir)) throw new StartError(stopped);
        return (await isReady(serviceUrl)) || undefined;
      }),
    );
    const watch = async (): Promise<string> => {
      while (findHolder(dataDir)) await delay(250, undefined, { ref: false });
      return stopped;
    };
    return {
      serviceUrl,
      projectId: settings.PROJECT_ID ?? '',
      apiKey: settings.API_KEY ?? '',
      signInUrl: settings.SIGN_IN_URL ?? '',
      operatorPassword: settings.OPERATOR_PASSWORD ?? '',
      settingsFile: settingsFile(dataDir),
      reused: true,
      failure: watch(),
      stop: async () => {},
    };
  } finally {
    clearInterval(reportTimer);
  }
}

/**
 * Waits until the settings are complete, and returns them: a starting server writes its URL last.
 */
async function completeSettings(dataDir: string): Promise<DevSettings | 'stopped' | undefined> {
  const settings = await readSettings(dataDir);
  if (settings.SERVICE_URL && settings.PROJECT_ID && settings.API_KEY) return settings;
  return findHolder(dataDir) ? undefined : 'stopped';
}
