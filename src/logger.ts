import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';

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
/** The level `warn`. Lines of this level or above are written immediately. */
const immediateFlushLevel = 40;

let isExiting = false;

/**
 * Opens a file or descriptor for log lines. Lines are buffered, because a system call costs more
 * than a line. Only SIGKILL loses lines: those below `warn` from the last 50 ms.
 */
export function openLogDestination(dest: string | number): LogDestination {
  const destination = pino.destination({
    dest,
    sync: true,
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
 * The logged fields of an error: type, message, stack and code. Other fields are omitted, since
 * Postgres quotes values in `detail` and `where`.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint, cause } = error as Error & { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

/**
 * Creates a logger that writes JSON lines to `destination` (default: standard output). Credentials
 * are removed, in case a request is logged by mistake.
 */
export function createLogger(level: string, name: string, destination?: LogDestination): Logger {
  const output = destination ?? openStandardOutput();
  const options: LoggerOptions = {
    name,
    level,
    serializers: { err: describeError },
    redact: {
      paths: [
        'authorization',
        '*.authorization',
        'req.headers',
        'headers',
        '*.secret',
        '*.api_key',
      ],
      remove: true,
    },
    hooks: {
      logMethod(args, method, level) {
        method.apply(this, args);
        if (level >= immediateFlushLevel || isExiting) output.flush?.();
      },
    },
  };
  return pino(options, output);
}
