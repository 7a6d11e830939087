import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { gatherLines } from './log-lines.ts';

export type Logger = PinoLogger;

/**
 * What is logged of an error: who it is, what it says, where it was thrown. Nothing else it carries:
 * Postgres quotes the values that it stumbled over in `detail` and `where`.
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
 * JSON lines on standard output, several at a time, or each at once where `to` says. Credentials are
 * cut out wherever somebody logs a request by mistake.
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
