import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { gatherLines } from './log-lines.ts';

export type Logger = PinoLogger;

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
export function createLogger(level: string, name: string, to?: DestinationStream): Logger {
  const options = {
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
  };
  return pino(options, to ?? gatherLines(pino.destination({ sync: true })));
}
