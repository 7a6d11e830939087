/** A page of a list. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * A list that is read as it is needed: `for await (const image of client.images.list())` asks for one
 * page after the other, `await …page()` for one only.
 */
export class Listing<T, P extends Page<T> = Page<T>> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<P>;

  constructor(read: (cursor: string | undefined) => Promise<P>) {
    this.#read = read;
  }

  /** One page, with what only pages have: `total`, `facets`. Its `next_cursor` asks for the next. */
  page(cursor?: string): Promise<P> {
    return this.#read(cursor);
  }

  /** Page by page, to the end. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#read(cursor);
      yield page;
      if (!page.has_more || page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
