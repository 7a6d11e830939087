import { ScriptoriumError } from '../error.ts';
import type { Job } from '../generated.ts';
import { Patience, pause } from '../retry.ts';
import { readServerSentEvents } from '../sse.ts';
import { connectionFailed, type RequestOptions } from '../transport.ts';
import type { FollowOptions } from './events.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** The service sends a message at least every 15 s. */
const idleMs = 45_000;
/** How long the service waits for a change, in seconds. */
const waitSeconds = 20;

export interface WaitOptions extends FollowOptions {
  /** Called with the current job and after each change. */
  onProgress?: ((job: Job) => void) | undefined;
}

/** Document jobs: operations on the pages of an object. */
export class Jobs extends Resource {
  list(query: Query<'listJobs'> = {}, options?: RequestOptions) {
    return this.listing('listJobs', { query }, options);
  }
  /** Starts a job with several operations in order. */
  create(body: Body<'createJob'>, options?: RequestOptions) {
    return this.transport.call('createJob', { body }, options);
  }
  /** Starts the same job on each of several objects. */
  createMany(body: Body<'createJobs'>, options?: RequestOptions) {
    return this.transport.call('createJobs', { body }, options);
  }
  ocr(body: Body<'startOcr'>, options?: RequestOptions) {
    return this.transport.call('startOcr', { body }, options);
  }
  redact(body: Body<'startRedaction'>, options?: RequestOptions) {
    return this.transport.call('startRedaction', { body }, options);
  }
  classify(body: Body<'startClassification'>, options?: RequestOptions) {
    return this.transport.call('startClassification', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getJob', { params: { id } }, options);
  }
  pages(id: string, query: Query<'listJobPages'> = {}, options?: RequestOptions) {
    return this.listing('listJobPages', { params: { id }, query }, options);
  }
  /** The state of every page in every operation, in compact form. */
  pageStates(id: string, options?: RequestOptions) {
    return this.transport.call('getJobPageStates', { params: { id } }, options);
  }
  /** The signed certificate of a redaction. */
  certificate(id: string, options?: RequestOptions) {
    return this.transport.call('getCertificate', { params: { id } }, options);
  }
  /** The public keys that verify certificates. */
  certificateKeys(query: Query<'listCertificateKeys'> = {}, options?: RequestOptions) {
    return this.listing('listCertificateKeys', { query }, options);
  }
  cancel(id: string, options?: RequestOptions) {
    return this.transport.call('cancelJob', { params: { id } }, options);
  }
  /** Retries the failed pages, or all pages, as a new job. */
  retry(id: string, body: Body<'retryJob'> = {}, options?: RequestOptions) {
    return this.transport.call('retryJob', { params: { id }, body }, options);
  }

  /**
   * Waits until a job has ended; check its `state`. Follows its stream with reconnects, and falls
   * back to `Prefer: wait` if streams are blocked.
   */
  async wait(id: string, { onProgress, onBreak, ...options }: WaitOptions = {}): Promise<Job> {
    const patience = new Patience(onBreak);
    let seen: Job | undefined;
    const look = (job: Job): boolean => {
      patience.answered();
      if (job.version !== seen?.version) onProgress?.(job);
      seen = job;
      return isEnded(job);
    };
    for (let streams = true; ; ) {
      const before = seen?.version;
      const request = { ...options, ...(patience.begun ? { maxRetries: 0 } : {}) };
      try {
        if (streams) {
          for await (const job of this.#follow(id, request)) if (look(job)) return job;
        } else {
          const job = await this.#changed(id, seen, request);
          if (look(job)) return job;
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        await pause(patience.rest(error), options.signal);
      }
      // A stream without news is probably buffered by a proxy.
      streams &&= seen !== undefined && seen.version !== before;
    }
  }

  /** The states of a job from its stream, until it ends or breaks. */
  async *#follow(id: string, options: RequestOptions): AsyncGenerator<Job, void, undefined> {
    const response = await this.transport.send(
      'getJob',
      { params: { id } },
      {
        ...options,
        headers: { ...options.headers, Accept: 'text/event-stream' },
      },
    );
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return;
    }
    try {
      for await (const { event, data } of readServerSentEvents(response.body, { idleMs })) {
        if (event === 'job') yield JSON.parse(data) as Job;
      }
    } catch (error) {
      throw connectionFailed(this.transport.baseUrl, error);
    }
  }

  /** Polls the job: returns after a change, or after a while. */
  async #changed(id: string, seen: Job | undefined, options: RequestOptions): Promise<Job> {
    const headers = {
      ...options.headers,
      ...(seen ? { Prefer: `wait=${waitSeconds}`, 'If-None-Match': `"${seen.version}"` } : {}),
    };
    const response = await this.transport.send(
      'getJob',
      { params: { id } },
      { ...options, headers },
    );
    if (response.status === 304 && seen) return seen;
    const job: unknown = await response.json();
    if (!isJob(job)) {
      throw ScriptoriumError.local('unexpected_answer', 'The response is not a job.');
    }
    return job;
  }
}

/** Whether a job has ended. */
export function isEnded({ state }: Job): boolean {
  return ['succeeded', 'partially_succeeded', 'failed', 'cancelled'].includes(state);
}

function isJob(value: unknown): value is Job {
  return typeof value === 'object' && value !== null && 'version' in value && 'state' in value;
}
