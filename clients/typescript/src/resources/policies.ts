import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** A change of what demands the version that was read. */
export type Guarded = RequestOptions & { ifMatch: number | string };

/** Security policies of the library. */
export class Policies extends Resource {
  list(query: Query<'listPolicies'> = {}, options?: RequestOptions) {
    return this.listing('listPolicies', { query }, options);
  }
  create(body: Body<'createPolicy'>, options?: RequestOptions) {
    return this.transport.call('createPolicy', { body }, options);
  }
  get(id: string, options?: RequestOptions) {
    return this.transport.call('getPolicy', { params: { id } }, options);
  }
  update(id: string, body: Body<'updatePolicy'>, options: Guarded) {
    return this.transport.call('updatePolicy', { params: { id }, body }, options);
  }
  delete(id: string, options: Guarded) {
    return this.transport.call('deletePolicy', { params: { id } }, options);
  }
  /** What would be decided; nothing is done and nothing recorded. */
  evaluate(body: Body<'evaluatePolicies'>, options?: RequestOptions) {
    return this.transport.call('evaluatePolicies', { body }, options);
  }
  /** How many resources a policy would deny what it speaks about. */
  impact(id: string, body: Body<'getPolicyImpact'> = {}, options?: RequestOptions) {
    return this.transport.call('getPolicyImpact', { params: { id }, body }, options);
  }
  /** The same for a policy that is not saved yet. */
  impactOfDraft(body: Body<'getDraftImpact'>, options?: RequestOptions) {
    return this.transport.call('getDraftImpact', { body }, options);
  }
}
