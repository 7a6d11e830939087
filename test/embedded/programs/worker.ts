import { appendFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import pg from 'pg';
import { takeSettings } from '../../../src/access/secret-settings.ts';
import { reportStart, startedStep } from '../../../src/start-report.ts';

const settings = takeSettings(process.env);

/** Replaces src/worker.ts in tests: needs both stores, which must still run while it stops. */
const client = new pg.Client({ connectionString: settings.DATABASE_WORKER_URL });
client.on('error', () => {});
await client.connect();
const redis = new Redis(settings.REDIS_URL ?? '');
redis.on('error', () => {});
const log = (line: string): void => appendFileSync(settings.WORKER_DIARY ?? '', `${line}\n`);
process.on('SIGTERM', async () => {
  const { rows } = await client.query<{ role: string }>('SELECT current_user AS role');
  log(`down ${rows[0]?.role} ${await redis.ping()}`);
  await client.end();
  redis.disconnect();
});
// The test may stop this worker as soon as it reads that it is up.
log(`up ${process.pid} ${await redis.ping()}`);
reportStart(startedStep);
