import { createServer } from 'node:http';
import type { Registry } from 'prom-client';

/**
 * Serves the metrics of a process on a separate port. It requires no credentials, so the port must
 * be private. `/healthz` only reports that the process is alive, even if Postgres is unavailable.
 * Does nothing without a port.
 */
export function serveMetrics(
  registry: Registry,
  host: string,
  port: number | undefined,
): { close(): void } {
  if (port === undefined) return { close: () => undefined };
  const server = createServer((request, response) => {
    if (request.url === '/healthz') {
      response.setHeader('Content-Type', 'text/plain').end('alive\n');
      return;
    }
    registry.metrics().then(
      (text) => response.setHeader('Content-Type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  }).listen(port, host);
  return server;
}
