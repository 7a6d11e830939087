/** The attributes of a span, by OpenTelemetry's semantic conventions or our own names. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The kind of a span: work for a caller, producing work, consuming it, calling another service. */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client';

/** One piece of work in a trace. */
export interface Span {
  /** The W3C traceparent for work that continues from it; null without a trace. */
  readonly traceParent: string | null;
  /** Null if it is not recorded. */
  readonly traceId: string | null;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** The span failed; `type` is a code or the name of an error, never its message. */
  fail(type: string): void;
  end(): void;
}

interface SpanStart {
  kind: SpanKind;
  /** The traceparent that it continues; null starts a new trace. */
  parent: string | null;
  attributes?: Attributes;
  /** Milliseconds since 1970; now by default. */
  startedAt?: number;
}

/** Creates the spans of a process. */
export interface Tracing {
  /** Whether spans are recorded. If not, callers need not collect attributes. */
  readonly on: boolean;
  start(name: string, start: SpanStart): Span;
  /** Sends the remaining spans, waiting only briefly. */
  stop(): Promise<void>;
}

/** Records nothing, and passes on the trace of the caller. */
export const noTracing: Tracing = {
  on: false,
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

/** The target of traces, and the sampling. */
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
export function traceField(span: Span | null): { trace_id?: string } {
  const traceId = span?.traceId ?? null;
  return traceId === null ? {} : { trace_id: traceId };
}

/** Fields of a log line as attributes of a span, under our own prefix. */
export function ownAttributes(fields: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`scriptorium.${name}`, value]),
  );
}
