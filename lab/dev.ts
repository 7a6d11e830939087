import { defaultDataDir, startStack } from './embedded/stack.ts';
import { StartError } from './embedded/start-error.ts';

/** `script/server`: the whole service on this machine, until it is stopped. */
async function serve(): Promise<number> {
  let stopping = false;
  const starting = new AbortController();
  const asked = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // A second signal ends it at once; the tether stops the remaining processes.
        if (stopping) process.exit(1);
        stopping = true;
        starting.abort();
        resolve('');
      });
    }
  });

  const stack = await startStack({
    env: process.env,
    dataDir: process.env.DATA_PATH || defaultDataDir,
    log: say,
    signal: starting.signal,
  });
  say(
    `Scriptorium serves at ${stack.serviceUrl}.`,
    `  Portal    ${stack.signInUrl} (signs you in; or ${stack.serviceUrl}/portal with project and key)`,
    `  Project   ${stack.projectId}`,
    `  Settings  ${stack.settingsFile} (API key, operator's password; keep private)`,
    `  API docs  ${stack.serviceUrl}/docs`,
    `  Queues    ${stack.serviceUrl}/admin/queues`,
    '  Ctrl-C stops it.',
  );
  const reason = await Promise.race([asked, stack.broken]);
  say(reason ? `${reason} Stopping.` : 'Stopping: workers, server, Redis, Postgres.');
  stopping = true;
  await stack.stop();
  say('Stopped.');
  return reason ? 1 : 0;
}

function say(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

try {
  process.exitCode = await serve();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
