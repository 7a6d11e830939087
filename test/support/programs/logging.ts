import { createLogger } from '../../../src/logger.ts';
import { stopOnSignals } from '../../../src/stop.ts';

/** Logs lines that nothing has written yet when the process ends in the way that is asked for. */
const [, , end] = process.argv;
const logger = createLogger('info', 'test');
const lines = (): void => {
  for (let line = 1; line <= 100; line++) logger.info({ line }, 'a line');
};

if (end === 'signal') {
  const running = setInterval(() => undefined, 1_000);
  stopOnSignals({ logger, limitMs: 60_000, logMessage: 'stopping' }, async () => {
    lines();
    clearInterval(running);
  });
  process.kill(process.pid, 'SIGTERM');
} else if (end === 'exception') {
  lines();
  throw new Error('Nobody catches this.');
} else if (end === 'rejection') {
  lines();
  void Promise.reject(new Error('Nobody catches this.'));
} else if (end === 'exit') {
  lines();
  process.exit(3);
} else if (end === 'after exit') {
  process.on('exit', () => logger.info({ line: 101 }, 'a line'));
  lines();
}
