import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** Options of changes that require the version you read. */
export type VersionedOptions = RequestOptions & { ifMatch: number | string };

/** Security policies. */
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
  update(id: string, body: Body<'updatePolicy'>, options: VersionedOptions) {
    return this.transport.call('updatePolicy', { params: { id }, body }, options);
  }
  delete(id: string, options: VersionedOptions) {
    return this.transport.call('deletePolicy', { params: { id } }, options);
  }
  /** Evaluates an action without performing or recording it. */
  evaluate(body: Body<'evaluatePolicies'>, options?: RequestOptions) {
    return this.transport.call('evaluatePolicies', { body }, options);
  }
  /** Counts the objects that a policy would deny. */
  impact(id: string, body: Body<'getPolicyImpact'> = {}, options?: RequestOptions) {
    return this.transport.call('getPolicyImpact', { params: { id }, body }, options);
  }
  /** Counts the objects that an unsaved policy would deny. */
  impactOfDraft(body: Body<'getDraftImpact'>, options?: RequestOptions) {
    return this.transport.call('getDraftImpact', { body }, options);
  }
}
