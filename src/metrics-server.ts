import { createServer } from 'node:http';
import type { Registry } from 'prom-client';

/**
 * Serves the metrics of a process on a port of its own, without credentials: keep it private. Does
 * nothing without a port.
 */
export function serveMetrics(
  registry: Registry,
  host: string,
  port: number | undefined,
): { close(): void } {
  if (port === undefined) return { close: () => undefined };
  const server = createServer((_request, response) => {
    registry.metrics().then(
      (text) => response.setHeader('Content-Type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  }).listen(port, host);
  return server;
}
