import {
  type Span as ApiSpan,
  SpanKind as ApiSpanKind,
  type Context,
  type DiagLogger,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type Sampler as ApiSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import type { Attributes, Span, SpanKind, Tracing, TracingSettings } from './tracing.ts';

/** How many spans may wait to be sent; further ones are dropped. */
const maxWaiting = 4_096;
const exportTimeoutMs = 10_000;
/** How often problems with the collector are logged. */
const complainMs = 60_000;
/** How long a stop waits for the last spans. */
const stopMs = 2_000;

const kinds: Record<SpanKind, ApiSpanKind> = {
  server: ApiSpanKind.SERVER,
  producer: ApiSpanKind.PRODUCER,
  consumer: ApiSpanKind.CONSUMER,
  client: ApiSpanKind.CLIENT,
};

/**
 * Sends spans to a collector by OTLP over HTTP, in batches in the background. Without a collector
 * they are dropped once the queue is full; nothing waits.
 */
export function exportTraces(
  settings: TracingSettings & { url: string },
  service: string,
  logger: Logger,
): Tracing {
  diag.setLogger(sparing(logger), {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': `scriptorium-${service}` }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: settings.url, timeoutMillis: exportTimeoutMs }),
        maxQueueSize: maxWaiting,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('scriptorium');
  return {
    on: true,
    start(name, { kind, parent, attributes, startedAt }) {
      const options = {
        kind: kinds[kind],
        attributes: known(attributes),
        ...(startedAt === undefined ? {} : { startTime: startedAt }),
      };
      return wrap(tracer.startSpan(name, options, contextOf(parent)));
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopMs);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

function wrap(span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    traceId,
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(known(attributes)),
    fail(type) {
      span.setAttributes({ 'error.type': type });
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

function known(attributes: Attributes = {}): Record<string, string | number | boolean> {
  const given: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) given[name] = value;
  }
  return given;
}

function contextOf(traceParent: string | null): Context {
  const parent = parseTraceParent(traceParent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

/**
 * Reads a traceparent (https://www.w3.org/TR/trace-context/); of later versions, the part that this
 * version defines. Null if it is invalid, which starts a new trace.
 */
export function parseTraceParent(text: string | null): SpanContext | null {
  const found = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(text ?? '');
  if (!found) return null;
  const [, version, traceId, spanId, flags, more] = found;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & 1,
    isRemote: true,
  };
}

/**
 * The sampler of the settings. A caller whose `traceparent` says that it does not record must not
 * be able to hide a request, so the root sampler decides. The ratio applies to the trace's
 * identifier, so all spans of a trace get the same decision.
 */
function samplerOf({ sampler, ratio }: TracingSettings): ApiSampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  if (!sampler.startsWith('parentbased_')) return root;
  return new ParentBasedSampler({ root, remoteParentNotSampled: root });
}

/** An unreachable collector fails every batch, so it is logged once a minute with a count. */
function sparing(logger: Logger): DiagLogger {
  let silentUntil = 0;
  let unsaid = 0;
  const complain = (reason: string): void => {
    if (Date.now() < silentUntil) {
      unsaid += 1;
      return;
    }
    logger.warn({ reason: reason.slice(0, 300), unsaid }, 'could not send traces');
    silentUntil = Date.now() + complainMs;
    unsaid = 0;
  };
  const nothing = (): void => undefined;
  return { error: complain, warn: complain, info: nothing, debug: nothing, verbose: nothing };
}
