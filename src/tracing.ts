/** The attributes of a span, named by OpenTelemetry's semantic conventions or with our prefix. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The kind of a span: serving a request, producing work, consuming work, calling a service. */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client';

/** A span of a trace. */
export interface Span {
  /** The W3C traceparent for child spans; null without a trace. */
  readonly traceParent: string | null;
  /** Null if the span is not recorded. */
  readonly traceId: string | null;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed. `type` is an error code or name, never a message. */
  fail(type: string): void;
  end(): void;
}

interface SpanOptions {
  kind: SpanKind;
  /** The parent traceparent; null starts a new trace. */
  parent: string | null;
  attributes?: Attributes;
  /** Milliseconds since 1970; now by default. */
  startedAt?: number;
}

/** Creates the spans of a process. */
export interface Tracing {
  /** Whether spans are recorded. If not, callers can skip collecting attributes. */
  readonly isEnabled: boolean;
  start(name: string, start: SpanOptions): Span;
  /** Sends the remaining spans, with a short time limit. */
  stop(): Promise<void>;
}

/** Records no spans, and passes on the caller's traceparent. */
export const noTracing: Tracing = {
  isEnabled: false,
  start: (_name, { parent }) => ({
    traceParent: parent,
    traceId: null,
    rename: () => undefined,
    set: () => undefined,
    fail: () => undefined,
    end: () => undefined,
  }),
  stop: async () => undefined,
};

/** The destination of traces, and the sampling. */
export interface TracingSettings {
  /** The full URL for OTLP over HTTP; null disables tracing. */
  url: string | null;
  /** OTEL_TRACES_SAMPLER and its argument. */
  sampler: Sampler;
  ratio: number;
}

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type Sampler = (typeof samplers)[number];

/** The log fields of a span; none without tracing. */
export function traceFields(span: Span | null): { trace_id?: string } {
  const traceId = span?.traceId ?? null;
  return traceId === null ? {} : { trace_id: traceId };
}

/** Converts log fields to span attributes with our prefix. */
export function prefixAttributes(fields: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`scriptorium.${name}`, value]),
  );
}
