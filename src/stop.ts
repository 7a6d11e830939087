import type { Logger } from './logger.ts';

/**
 * Stops a process in order on SIGTERM or SIGINT. A database or disk that hangs cannot prevent it:
 * after `limitMs`, or at a second signal, it exits at once with code 1.
 */
export function stopOnSignals(
  options: { logger: Logger; limitMs: number; saying: string },
  stop: () => Promise<void>,
): void {
  const { logger, limitMs, saying } = options;
  let since: number | undefined;
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    if (since !== undefined) {
      // Within a second it is the same signal, delivered twice (by npm and the terminal); later, it
      // is a second request.
      if (performance.now() - since > 1_000) process.exit(1);
      return;
    }
    since = performance.now();
    setTimeout(() => {
      logger.error('stopping takes too long; exiting');
      process.exit(1);
    }, limitMs).unref();
    logger.info({ signal }, saying);
    await stop();
    logger.info('stopped');
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
