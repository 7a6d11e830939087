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

/** The maximum number of spans waiting to be sent. Further spans are dropped. */
const maxQueuedSpans = 4_096;
const exportTimeoutMs = 10_000;
/** The minimum interval between log lines about the collector. */
const logIntervalMs = 60_000;
/** The time limit for sending the last spans when the process stops. */
const stopTimeoutMs = 2_000;

const apiSpanKinds: Record<SpanKind, ApiSpanKind> = {
  server: ApiSpanKind.SERVER,
  producer: ApiSpanKind.PRODUCER,
  consumer: ApiSpanKind.CONSUMER,
  client: ApiSpanKind.CLIENT,
};

/**
 * Sends spans to a collector by OTLP over HTTP, in batches in the background. If the
 * collector is unreachable, spans are dropped once the queue is full; callers never wait.
 */
export function exportTraces(
  settings: TracingSettings & { url: string },
  service: string,
  logger: Logger,
): Tracing {
  diag.setLogger(createDiagLogger(logger), {
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
        maxQueueSize: maxQueuedSpans,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('scriptorium');
  return {
    isEnabled: true,
    start(name, { kind, parent, attributes, startedAt }) {
      const options = {
        kind: apiSpanKinds[kind],
        attributes: definedAttributes(attributes),
        ...(startedAt === undefined ? {} : { startTime: startedAt }),
      };
      return wrapSpan(tracer.startSpan(name, options, contextOf(parent)));
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopTimeoutMs);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      clearTimeout(timer);
    },
  };
}

function wrapSpan(span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    traceId,
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(definedAttributes(attributes)),
    fail(type) {
      span.setAttributes({ 'error.type': type });
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

function definedAttributes(attributes: Attributes = {}): Record<string, string | number | boolean> {
  const defined: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) defined[name] = value;
  }
  return defined;
}

function contextOf(traceParent: string | null): Context {
  const parent = parseTraceParent(traceParent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

/**
 * Parses a traceparent (https://www.w3.org/TR/trace-context/). Of later versions, only the fields
 * of this version are read. Returns null if it is invalid, which starts a new trace.
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
 * Creates the sampler of the settings. If the caller's `traceparent` is not sampled, the root
 * sampler decides: callers must not be able to hide requests. The ratio applies to the trace ID,
 * so all spans of a trace get the same decision.
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

/** Logs at most one line a minute, with a count, because an unreachable collector fails every batch. */
function createDiagLogger(logger: Logger): DiagLogger {
  let silentUntil = 0;
  let suppressed = 0;
  const logProblem = (reason: string): void => {
    if (Date.now() < silentUntil) {
      suppressed += 1;
      return;
    }
    logger.warn({ reason: reason.slice(0, 300), unsaid: suppressed }, 'could not send traces');
    silentUntil = Date.now() + logIntervalMs;
    suppressed = 0;
  };
  const ignore = (): void => undefined;
  return { error: logProblem, warn: logProblem, info: ignore, debug: ignore, verbose: ignore };
}
