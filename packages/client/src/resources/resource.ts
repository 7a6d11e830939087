import type { OperationId } from '../generated.ts';
import type { Page } from '../listing.ts';
import { Listing } from '../listing.ts';
import type { Answer, Input, RequestOptions, Transport } from '../transport.ts';

/** Operations that return a page of a list. */
type ListOperation = {
  [K in OperationId]: Answer<K> extends Page<unknown> ? K : never;
}[OperationId];

/** The items of a list operation. */
export type Item<K extends ListOperation> = Answer<K> extends { data: (infer T)[] } ? T : never;

/** The query of an operation. */
export type Query<K extends OperationId> = Input<K> extends { query?: infer Q } ? Q : never;
/** The body of an operation. */
export type Body<K extends OperationId> = Input<K> extends { body: infer B } ? B : never;

/** The base of all resources. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Creates a lazily read list. */
  protected listing<K extends ListOperation>(
    operation: K,
    input: Input<K>,
    options?: RequestOptions,
  ): Listing<Item<K>, Answer<K> & Page<Item<K>>> {
    return new Listing((cursor) => {
      const query = { ...(input as { query?: object }).query, ...(cursor ? { cursor } : {}) };
      const asked = { ...input, query } as Input<K>;
      return this.transport.call(operation, asked, options) as Promise<Answer<K> & Page<Item<K>>>;
    });
  }
}
