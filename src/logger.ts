import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';
import { describeError, loggedFields } from './log-fields.ts';

/** Writes log lines; `createLogger` creates it. */
export type Logger = PinoLogger;

/** The destination of log lines. */
interface LogDestination extends DestinationStream {
  /** Writes buffered lines. */
  flush?(): void;
}

/**
 * The maximum bytes per write. Writes to a pipe up to this length are atomic (PIPE_BUF), so lines
 * of several processes on one pipe do not mix.
 */
const bufferBytes = 4_096;
/** The maximum time that a line is buffered, in milliseconds. */
const flushIntervalMs = 50;
/** Lines of this level or above are written immediately. */
const immediateFlushLevel = pino.levels.values.warn!;

let isExiting = false;

/**
 * Opens a file or descriptor for log lines. Lines are buffered, because a system call costs more
 * than a line. Lines below `warn` from the last 50 ms are lost if the process is killed.
 */
export function openLogDestination(dest: string | number): LogDestination {
  const destination = pino.destination({
    dest,
    sync: true,
    // It must be smaller than `maxWrite`.
    minLength: bufferBytes - 1,
    maxWrite: bufferBytes,
    periodicFlush: flushIntervalMs,
  });
  // Also emitted after an uncaught exception.
  process.on('exit', () => {
    isExiting = true;
    destination.flush();
  });
  return destination;
}

let standardOutput: LogDestination | undefined;
const openStandardOutput = (): LogDestination => {
  standardOutput ??= openLogDestination(1);
  return standardOutput;
};

/**
 * Creates a logger that writes JSON lines to `destination` (default: standard output). Credentials
 * are removed from the fields of a line, in case a request is logged by mistake; the fields of a
 * child logger are logged as they are.
 */
export function createLogger(level: string, name: string, destination?: LogDestination): Logger {
  const output = destination ?? openStandardOutput();
  const options: LoggerOptions = {
    name,
    level,
    serializers: { err: describeError },
    formatters: { log: loggedFields },
    hooks: {
      logMethod(args, method, lineLevel) {
        method.apply(this, args);
        if (lineLevel >= immediateFlushLevel || isExiting) output.flush?.();
      },
    },
  };
  return pino(options, output);
}
