import { Gauge, type Registry } from 'prom-client';
import type { Database } from './db/database.ts';
import { measureClock, postgresTime } from './db/postgres-time.ts';
import type { Logger } from './logger.ts';

/**
 * The largest difference that is not reported. The local clock is used only in logs and rate
 * limits; all other times come from `postgresTime`.
 */
const maxDriftSeconds = 60;
const checkIntervalMs = 60_000;

/**
 * Measures the clock of Postgres now and every minute. Reports the difference from the local clock
 * as a metric, and warns if it exceeds a minute.
 */
export function watchClock(
  { database, logger, metrics }: { database: Database; logger: Logger; metrics: Registry },
  now: () => number = Date.now,
): { check(): Promise<void>; stop(): void } {
  const gauge = new Gauge({
    name: 'clock_offset_seconds',
    help: 'How far the clock of this machine is ahead of that of Postgres.',
    registers: [metrics],
  });
  let isDrifting = false;
  const check = async (): Promise<void> => {
    await measureClock(database);
    const seconds = (now() - postgresTime()) / 1_000;
    gauge.set(seconds);
    const wasDrifting = isDrifting;
    isDrifting = Math.abs(seconds) > maxDriftSeconds;
    if (isDrifting && !wasDrifting) {
      const fields = { offset_seconds: Math.round(seconds) };
      logger.warn(fields, 'the clock differs from that of postgres: synchronise both with NTP');
    } else if (wasDrifting && !isDrifting)
      logger.info('the clock agrees with that of postgres again');
  };
  // Ignored: the clock cannot be compared while Postgres is unavailable.
  const timer = setInterval(() => void check().catch(() => undefined), checkIntervalMs).unref();
  void check().catch(() => undefined);
  return { check, stop: () => clearInterval(timer) };
}
