import { Gauge, type Registry } from 'prom-client';
import type { Database } from './db/database.ts';
import { lookAtClock, postgresTime } from './db/postgres-time.ts';
import type { Logger } from './logger.ts';

/**
 * This machine's clock is used only in logs and rate limits; all other times come from
 * `postgresTime`.
 */
const maxDriftSeconds = 60;
const everyMs = 60_000;

/**
 * Measures the clock of Postgres now and every minute. Reports the difference from this machine's
 * clock as a metric, and warns when it exceeds a minute.
 */
export function watchClock(
  { database, logger, metrics }: { database: Database; logger: Logger; metrics: Registry },
  now: () => number = Date.now,
): { look(): Promise<void>; stop(): void } {
  const gauge = new Gauge({
    name: 'clock_offset_seconds',
    help: 'How far the clock of this machine is ahead of that of Postgres.',
    registers: [metrics],
  });
  let isOff = false;
  const look = async (): Promise<void> => {
    await lookAtClock(database);
    const seconds = (now() - postgresTime()) / 1_000;
    gauge.set(seconds);
    const wasOff = isOff;
    isOff = Math.abs(seconds) > maxDriftSeconds;
    if (isOff && !wasOff) {
      const fields = { offset_seconds: Math.round(seconds) };
      logger.warn(fields, 'the clock differs from that of postgres: synchronise both with NTP');
    } else if (wasOff && !isOff) logger.info('the clock agrees with that of postgres again');
  };
  // While Postgres is unavailable, there is nothing to compare.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  void look().catch(() => undefined);
  return { look, stop: () => clearInterval(timer) };
}
