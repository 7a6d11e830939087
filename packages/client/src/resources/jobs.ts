import type { Job } from '../generated.ts';
import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';
import { isFinalState, type WaitOptions, waitFor } from './waiting.ts';

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
  /** The certificate as a PDF for people, with the signed JSON attached; returns the raw response. */
  certificatePdf(id: string, options: RequestOptions = {}): Promise<Response> {
    const headers = { Accept: 'application/pdf', ...options.headers };
    return this.transport.send('getCertificate', { params: { id } }, { ...options, headers });
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
  wait(id: string, options: WaitOptions<Job> = {}): Promise<Job> {
    return waitFor(this.transport, { operation: 'getJob', event: 'job' }, id, options);
  }
}

/** Whether a job has ended. */
export function isEnded({ state }: Job): boolean {
  return isFinalState(state);
}
