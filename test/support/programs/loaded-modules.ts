import { createRequire } from 'node:module';
import { createLogger } from '../../../src/logger.ts';
import { openTracing } from '../../../src/tracing-open.ts';

/** Tells how much of OpenTelemetry is loaded without a collector, and whether any is with one. */
const loaded = (): number =>
  Object.keys(createRequire(import.meta.url).cache).filter((name) =>
    name.includes('@opentelemetry'),
  ).length;

const logger = createLogger('silent', 'test');
const settings = { sampler: 'always_on', ratio: 1 } as const;
await openTracing({ ...settings, url: null }, 'test', logger);
const off = loaded();
const tracing = await openTracing({ ...settings, url: 'http://127.0.0.1:9/' }, 'test', logger);
process.stdout.write(JSON.stringify({ off, on: loaded() > 0 }));
await tracing.stop();
