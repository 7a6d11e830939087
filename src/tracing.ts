import type { Logger } from './logger.ts';

/** What is told of a span, by the names of OpenTelemetry's semantic conventions or our own. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What a span stands for: work for a caller, handing work on, taking it, calling somebody else. */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client';

/** One piece of work in a trace. */
export interface Span {
  /** What goes on from it goes on under this: a W3C traceparent; null where there is no trace. */
  readonly traceParent: string | null;
  /** Null where nothing is recorded. */
  readonly traceId: string | null;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** It failed; `type` is a code or the name of an error, never its text. */
  fail(type: string): void;
  end(): void;
}

export interface SpanStart {
  kind: SpanKind;
  /** The traceparent that it goes on from; null begins a trace. */
  parent: string | null;
  attributes?: Attributes;
  /** Milliseconds since 1970; now unless said. */
  startedAt?: number;
}

/** Makes the spans of a process. */
export interface Tracing {
  /** Whether anything is recorded. Where it is not, nobody need gather what a span would tell. */
  readonly on: boolean;
  start(name: string, start: SpanStart): Span;
  /** Sends what is left, waiting a moment at most. */
  stop(): Promise<void>;
}

/** Records nothing, and hands on the trace that others are in. */
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

/** Where traces go, and which. */
export interface TracingSettings {
  /** The full URL that OTLP over HTTP is posted to; null: nowhere. */
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
export type Sampler = (typeof samplers)[number];

/** Makes the tracing of a process. Where none is configured, OpenTelemetry is not even loaded. */
export async function openTracing(
  settings: TracingSettings,
  service: string,
  logger: Logger,
): Promise<Tracing> {
  if (settings.url === null) return noTracing;
  const { exportTraces } = await import('./tracing-export.ts');
  return exportTraces({ ...settings, url: settings.url }, service, logger);
}

/** What is logged of a span: nothing where nobody traces. */
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
