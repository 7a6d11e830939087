import type { Logger } from './logger.ts';

/**
 * Stops a process gracefully on SIGTERM or SIGINT. After `limitMs`, or on a second signal, the
 * process exits immediately with code 1, even if a database or disk hangs.
 */
export function stopOnSignals(
  options: { logger: Logger; limitMs: number; logMessage: string },
  stop: () => Promise<void>,
): void {
  const { logger, limitMs, logMessage } = options;
  let stoppingSince: number | undefined;
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    if (stoppingSince !== undefined) {
      // Within a second, it is the same signal delivered twice (by npm and by the terminal). Later,
      // it is a second request to stop.
      if (performance.now() - stoppingSince > 1_000) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => {
      logger.error('stopping takes too long; exiting');
      process.exit(1);
    }, limitMs).unref();
    logger.info({ signal }, logMessage);
    await stop();
    logger.info('stopped');
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
