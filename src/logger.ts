import { type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** JSON lines on standard output. Credentials are cut out wherever somebody logs a request by mistake. */
export function createLogger(level: string, name: string): Logger {
  return pino({
    name,
    level,
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
  });
}
