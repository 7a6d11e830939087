import type { RequestOptions } from '../transport.ts';
import { type Query, Resource } from './resource.ts';

/** The search over objects and images. */
export class Search extends Resource {
  /** Lists the results, best match first, each with the passage that matches. */
  list(query: Query<'search'>, options?: RequestOptions) {
    return this.listing('search', { query }, options);
  }
}
