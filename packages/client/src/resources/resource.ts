import type { OperationId } from '../generated.ts';
import type { Page } from '../listing.ts';
import { Listing } from '../listing.ts';
import type { Input, RequestOptions, ResponseOf, Transport } from '../transport.ts';

/** Operations that return a page of a list. */
type ListOperation = {
  [K in OperationId]: ResponseOf<K> extends Page<unknown> ? K : never;
}[OperationId];

/** The items of a list operation. */
export type Item<K extends ListOperation> = ResponseOf<K> extends { data: (infer T)[] } ? T : never;

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
  ): Listing<Item<K>, ResponseOf<K> & Page<Item<K>>> {
    return new Listing((cursor) => {
      const query = { ...(input as { query?: object }).query, ...(cursor ? { cursor } : {}) };
      const pageInput = { ...input, query } as Input<K>;
      return this.transport.call(operation, pageInput, options) as Promise<
        ResponseOf<K> & Page<Item<K>>
      >;
    });
  }
}
