/** A page of a list. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * A lazily read list. `for await (const image of client.images.list())` reads page by page; `await
 * ….page()` reads one page.
 */
export class Listing<T, P extends Page<T> = Page<T>> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<P>;

  constructor(read: (cursor: string | undefined) => Promise<P>) {
    this.#read = read;
  }

  /** Reads one page, including `total` and `facets`. Pass its `next_cursor` to read the next. */
  page(cursor?: string): Promise<P> {
    return this.#read(cursor);
  }

  /** Reads all pages. */
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
