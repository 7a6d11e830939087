import { defaultDataDir, startStack } from './embedded/stack.ts';
import { StartError } from './embedded/start-error.ts';

/** `script/server`: the whole service on this machine, until it is stopped. */
async function serve(): Promise<number> {
  let isStopping = false;
  const starting = new AbortController();
  const stopRequested = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // A second signal ends it at once; the tether stops the remaining processes.
        if (isStopping) process.exit(1);
        isStopping = true;
        starting.abort();
        resolve('');
      });
    }
  });

  const stack = await startStack({
    env: process.env,
    dataDir: process.env.DATA_PATH || defaultDataDir,
    log: print,
    signal: starting.signal,
  });
  print(
    `Scriptorium serves at ${stack.serviceUrl}.`,
    `  Portal    ${stack.signInUrl} (signs you in; or ${stack.serviceUrl}/portal with project and key)`,
    `  Project   ${stack.projectId}`,
    `  Settings  ${stack.settingsFile} (API key, operator's password; keep private)`,
    `  API docs  ${stack.serviceUrl}/docs`,
    `  Queues    ${stack.serviceUrl}/admin/queues`,
    '  Ctrl-C stops it.',
  );
  const reason = await Promise.race([stopRequested, stack.failure]);
  print(reason ? `${reason} Stopping.` : 'Stopping: workers, server, Redis, Postgres.');
  isStopping = true;
  await stack.stop();
  print('Stopped.');
  return reason ? 1 : 0;
}

function print(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

try {
  process.exitCode = await serve();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  print(error.message);
  process.exitCode = 1;
}
