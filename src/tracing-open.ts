import type { Logger } from './logger.ts';
import { noTracing, type Tracing, type TracingSettings } from './tracing.ts';

/** Creates the tracing of a process. OpenTelemetry is loaded only when it is configured. */
export async function openTracing(
  settings: TracingSettings,
  service: string,
  logger: Logger,
): Promise<Tracing> {
  if (settings.url === null) return noTracing;
  const { exportTraces } = await import('./tracing-export.ts');
  return exportTraces({ ...settings, url: settings.url }, service, logger);
}
