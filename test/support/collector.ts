import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it. */
export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty where it begins a trace. */
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  failed: boolean;
}

export interface Collector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** Everything that came, as it came. */
  bodies: string[];
  close(): Promise<void>;
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
}
type Pairs = { key: string; value: Value }[];
interface Export {
  resourceSpans: {
    resource: { attributes: Pairs };
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'attributes' | 'service' | 'failed' | 'parentSpanId'> & {
        parentSpanId?: string;
        attributes: Pairs;
        status?: { code?: number };
      })[];
    }[];
  }[];
}

/** A collector of traces on 127.0.0.1: OTLP over HTTP, as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isExport = request.url === '/v1/traces' && request.method === 'POST';
      if (!isExport) {
        response.writeHead(404).end();
        return;
      }
      const body = Buffer.concat(chunks).toString('utf8');
      bodies.push(body);
      spans.push(...readSpans(JSON.parse(body)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readSpans(exported: Export): CollectedSpan[] {
  return exported.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map(({ traceId, spanId, parentSpanId = '', name, kind, attributes, status }) => ({
        service,
        traceId,
        spanId,
        parentSpanId,
        name,
        kind,
        attributes: valuesOf(attributes),
        failed: status?.code === 2,
      }));
  });
}

function valuesOf(pairs: Pairs): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ??
        (value.intValue === undefined ? undefined : Number(value.intValue)) ??
        value.doubleValue ??
        value.boolValue,
    ]),
  );
}
