import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** Where lines go. */
interface Lines extends DestinationStream {
  /** Writes waiting lines. */
  flush?(): void;
}

/**
 * The maximum bytes per write. Writes to a pipe up to this length are atomic (PIPE_BUF), so lines
 * of several processes on one pipe do not mix.
 */
const bufferBytes = 4_096;
/** How long a line may wait for others, in milliseconds. */
const flushMs = 50;
/** The level `warn`: such a line does not wait. */
const urgent = 40;

let isExiting = false;

/**
 * Opens a file or a descriptor for lines. Lines are written together, since a system call costs
 * more than a line. Only SIGKILL loses lines, and only those below `warn` from the last 50 ms.
 */
export function openLines(dest: string | number): Lines {
  const lines = pino.destination({
    dest,
    sync: true,
    minLength: bufferBytes - 1,
    maxWrite: bufferBytes,
    periodicFlush: flushMs,
  });
  // Also emitted after an uncaught exception.
  process.on('exit', () => {
    isExiting = true;
    lines.flush();
  });
  return lines;
}

let standardOutput: Lines | undefined;
const sharedOutput = (): Lines => {
  standardOutput ??= openLines(1);
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
 * Creates a logger of JSON lines on standard output, or to `to`. Credentials are removed in case a
 * request is logged by mistake.
 */
export function createLogger(level: string, name: string, to?: Lines): Logger {
  const lines = to ?? sharedOutput();
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
        if (level >= urgent || isExiting) lines.flush?.();
      },
    },
  };
  return pino(options, lines);
}
