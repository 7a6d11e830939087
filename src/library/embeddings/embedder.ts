import type { EmbeddingFailure } from '@scriptorium/contracts/embeddings';
import { Counter, Histogram, type Registry } from 'prom-client';
import { EmbeddingError } from './embedding-error.ts';
import { type Embedded, readBounded, readEmbeddings } from './response.ts';
import { type EmbeddingSettings, modelOf } from './settings.ts';

/** How long nothing is sent after a failure of the endpoint, unless it names a time. */
const pauseSeconds = 10;
const maxPauseSeconds = 3_600;

export interface Embedder {
  /** Identifies model and dimensions: vectors of different models cannot be compared. */
  model: string;
  dimensions: number;
  /**
   * The vectors of texts, in their order, by one request.
   * @throws EmbeddingError if the endpoint fails, or failed a moment ago
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded>;
}

interface EmbedOptions {
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Creates the client of an OpenAI-compatible endpoint. After a failure, requests fail at once for a
 * few seconds, so that an outage delays neither searches nor other tasks.
 * @param now milliseconds of a clock that never goes back
 */
export function createEmbedder(
  settings: EmbeddingSettings,
  registry: Registry,
  now: () => number = () => performance.now(),
): Embedder {
  const metrics = createMetrics(registry);
  let pause: { until: number; error: EmbeddingError } | null = null;
  return {
    model: modelOf(settings),
    dimensions: settings.dimensions,
    async embed(texts, options) {
      if (pause && now() < pause.until) {
        const left = Math.ceil((pause.until - now()) / 1_000);
        throw new EmbeddingError(pause.error.code, left);
      }
      const started = performance.now();
      try {
        const embedded = await request(settings, texts, options);
        pause = null;
        metrics.observe('ok', performance.now() - started, embedded.tokens);
        return embedded;
      } catch (thrown) {
        options.signal?.throwIfAborted();
        const error = toEmbeddingError(thrown);
        metrics.observe(error.code, performance.now() - started, 0);
        // Another text may be accepted.
        if (error.code !== 'rejected') {
          const seconds = error.retryAfterSeconds ?? pauseSeconds;
          pause = { until: now() + seconds * 1_000, error };
        }
        throw error;
      }
    },
  };
}

async function request(
  { url, apiKey, model, dimensions }: EmbeddingSettings,
  texts: readonly string[],
  { timeoutMs, signal }: EmbedOptions,
): Promise<Embedded> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    // Texts are sent to the address of the setting only.
    redirect: 'error',
    signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw failureOf(response);
  }
  const body = await readBounded(response, texts.length * dimensions);
  return readEmbeddings(body, texts.length, dimensions);
}

function failureOf({ status, headers }: Response): EmbeddingError {
  const retryAfter = readRetryAfter(headers.get('retry-after'));
  if (status === 429) return new EmbeddingError('overloaded', retryAfter);
  if (status === 503) return new EmbeddingError('server_error', retryAfter);
  if (status >= 500) return new EmbeddingError('server_error');
  if (status === 400 || status === 413 || status === 422) return new EmbeddingError('rejected');
  // An unknown key, model or path.
  return new EmbeddingError('access_denied');
}

/** Seconds; dates would depend on the clock of the endpoint. */
function readRetryAfter(header: string | null): number | null {
  if (header === null || !/^\d{1,9}$/.test(header)) return null;
  return Math.min(Number(header), maxPauseSeconds);
}

function toEmbeddingError(error: unknown): EmbeddingError {
  if (error instanceof EmbeddingError) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') return new EmbeddingError('timed_out');
  return new EmbeddingError('unreachable', null, { cause: error });
}

function createMetrics(registry: Registry) {
  const registers = [registry];
  const requests = new Counter({
    name: 'embedding_requests_total',
    help: 'Requests to the embedding endpoint, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const tokens = new Counter({
    name: 'embedding_tokens_total',
    help: 'Tokens of texts that were embedded, as the endpoint reports them.',
    registers,
  });
  const seconds = new Histogram({
    name: 'embedding_request_duration_seconds',
    help: 'Duration of requests to the embedding endpoint.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  return {
    observe(outcome: EmbeddingFailure | 'ok', ms: number, tokenCount: number) {
      requests.inc({ outcome });
      tokens.inc(tokenCount);
      seconds.observe(ms / 1_000);
    },
  };
}
