import type { RequestOptions } from '../transport.ts';
import { type Body, type Query, Resource } from './resource.ts';

/** The search over objects and images. */
export class Search extends Resource {
  /** Lists the results, best match first, each with the passage that matches. */
  list(query: Query<'search'>, options?: RequestOptions) {
    return this.listing('search', { query }, options);
  }

  /** Finds the passages of documents that answer a question, best match first. */
  passages(body: Body<'searchPassages'>, options?: RequestOptions) {
    return this.transport.call('searchPassages', { body }, options);
  }

  /** Returns the progress of the vectors for hybrid searches. */
  embeddings(options?: RequestOptions) {
    return this.transport.call('getEmbeddings', {}, options);
  }
}
