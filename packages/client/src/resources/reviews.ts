import type { RequestOptions } from '../transport.ts';
import type { VersionedOptions } from './policies.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** People's decisions about the findings of document jobs. */
export class Reviews extends Resource {
  list(query: Query<'listReviews'> = {}, options?: RequestOptions) {
    return this.listing('listReviews', { query }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getReview', { params: { id } }, options);
  }
  /** The pages with their sizes and the number of findings by decision. */
  pages(id: string, query: Query<'listReviewPages'> = {}, options?: RequestOptions) {
    return this.listing('listReviewPages', { params: { id }, query }, options);
  }
  findings(id: string, query: Query<'listFindings'> = {}, options?: RequestOptions) {
    return this.listing('listFindings', { params: { id }, query }, options);
  }
  /** The text of a file without pages, piece by piece. */
  text(id: string, query: Query<'listReviewText'> = {}, options?: RequestOptions) {
    return this.listing('listReviewText', { params: { id }, query }, options);
  }
  /** How people decided findings, by type and score. */
  stats(query: Query<'getReviewStats'> = {}, options?: RequestOptions) {
    return this.transport.call('getReviewStats', { query }, options);
  }
  /** Claims a review for 30 minutes, or renews the claim. */
  claim(id: string, options?: RequestOptions) {
    return this.transport.call('claimReview', { params: { id } }, options);
  }
  release(id: string, options?: RequestOptions) {
    return this.transport.call('releaseReview', { params: { id } }, options);
  }
  /** Accepts, rejects or resets findings by their identifiers or a filter. */
  decide(id: string, body: Body<'decideFindings'>, options?: RequestOptions) {
    return this.transport.call('decideFindings', { params: { id }, body }, options);
  }
  /** Adds areas, words, a range of text, or every occurrence of a text. */
  add(id: string, body: Body<'addFindings'>, options?: RequestOptions) {
    return this.transport.call('addFindings', { params: { id }, body }, options);
  }
  /** Deletes a finding that a person added. */
  remove(id: string, findingId: string, options?: RequestOptions) {
    const params = { id, finding_id: findingId };
    return this.transport.call('removeFinding', { params }, options);
  }
  /** Lets the operation continue with the decisions. */
  submit(id: string, body: Body<'submitReview'>, options: VersionedOptions) {
    return this.transport.call('submitReview', { params: { id }, body }, options);
  }
  /** Fails the operation. */
  reject(id: string, body: Body<'rejectReview'>, options?: RequestOptions) {
    return this.transport.call('rejectReview', { params: { id }, body }, options);
  }
}
