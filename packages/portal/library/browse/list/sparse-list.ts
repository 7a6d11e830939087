import type { Item } from '../item.ts';
import { Items, type Slots } from './items.ts';

/** A page of a list. */
export interface LoadedPage {
  items: readonly Item[];
  /** The cursor of the next page. */
  nextCursor: string | null;
  /** The query that was searched, if its words were corrected. */
  correctedQuery?: string | undefined;
  /** Loads the missing data of the items; resolves to a function that completes them. */
  complete?: () => Promise<(item: Item) => Item>;
}

/** The source of a list. */
export interface ListSource<Problem> {
  pageSize: number;
  /** Loads the page at a cursor; null is the first page. */
  loadPage: (cursor: string | null, signal: AbortSignal) => Promise<LoadedPage>;
  /**
   * Converts the error of a failed request to a problem.
   * @throws the error itself if it is a programming error
   */
  problemOf: (error: unknown) => Problem;
  /** Whether the same request may succeed later. */
  isPassing: (problem: Problem) => boolean;
  /** Loads cursors to positions far down the list, one for each `every` items. */
  loadStops: (signal: AbortSignal) => Promise<{ every: number; cursors: readonly string[] }>;
}

/** A page at most this many pages after a known cursor is reached page by page. */
const maxSequentialPages = 2;
/** Maximum number of concurrent requests; more would only wait for each other. */
const maxRequests = 2;
/** Leaving the list does not end a change to its items. */
const neverAborted = new AbortController().signal;
/** Maximum number of pages that stay loaded. */
const maxPages = 50;

type Range = readonly [from: number, to: number];

/**
 * A list of any length. Only the pages around the visible range are loaded: each from the cursor of
 * the page before it or, far from the loaded pages, from a stop of the list. Distant pages are
 * dropped, except those with removed items, because later positions would shift.
 */
export class SparseList<Problem> {
  items: Items;
  problem: Problem | undefined;
  correctedQuery: string | undefined;
  /** The number of items; undefined until the last page is loaded. */
  count: number | undefined;
  /** The number of items that `edit` has removed since the list was loaded. */
  removedCount = 0;
  onChange: () => void = () => undefined;

  readonly #source: ListSource<Problem>;
  #pages = new Map<number, Slots>();
  /** The pages loaded since the last `reload`. */
  freshPages = new Set<number>();
  /** The cursor at which each page starts. */
  startCursors = new Map<number, string | null>([[0, null]]);
  #hasStops = false;
  hasFirstPage = false;
  lastPage: number | undefined;
  #lastLength = 0;
  changes = new Map<string, Item | null>();
  pageById = new Map<string, number>();
  visibleRange: Range = [0, 1];
  /** Ranges that callers wait for as a whole. */
  pendingRanges = new Set<{ range: Range; settle: () => void }>();
  requests = new Set<number | 'stops'>();
  abortController = new AbortController();

  constructor(source: ListSource<Problem>) {
    this.#source = source;
    this.items = new Items(this.#pages, source.pageSize);
  }

  /** Whether any page is loaded, or loading failed. */
  get hasBegun(): boolean {
    return this.items.pages.size > 0 || this.problem !== undefined;
  }

  get loading(): boolean {
    return this.requests.size > 0;
  }

  /** Sets the visible range and loads its items. */
  load(from: number, to: number): void {
    const end = Math.max(to, from + 1);
    const hasMoved = from !== this.visibleRange[0] || end !== this.visibleRange[1];
    this.visibleRange = [from, end];
    // Scrolling retries after a transient problem.
    if (hasMoved && this.problem !== undefined && this.#source.isPassing(this.problem)) {
      this.problem = undefined;
    }
    if (this.hasFirstPage) this.dropStale();
    this.startRequests();
  }

  /** Loads items and returns them once all are loaded; null if they cannot be loaded. */
  async loadRange(from: number, to: number): Promise<Item[] | null> {
    await new Promise<void>((resolve) => {
      const pending = { range: [from, to] as const, settle: resolve };
      this.pendingRanges.add(pending);
      this.startRequests();
    });
    if (this.missingPages([from, to]).length > 0) return null;
    return this.items.slice(from, to).filter((item) => item !== undefined);
  }

  /** Reads the whole list, page by page, without keeping it. @throws the problem of the source */
  async loadAll(): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | null = null;
    do {
      const page: LoadedPage = await this.#source.loadPage(cursor, neverAborted);
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return items;
  }

  /** Moves an item. Returns false, and changes nothing, unless all items between are loaded. */
  move(from: number, to: number): boolean {
    const { pageSize } = this.#source;
    const [rankFrom, rankTo] = [this.items.rankOf(from), this.items.rankOf(to)];
    const first = Math.floor(Math.min(rankFrom, rankTo) / pageSize);
    const last = Math.floor(Math.max(rankFrom, rankTo) / pageSize);
    const pages = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    if (pages.some((page) => !this.freshPages.has(page))) return false;
    const slots = pages.flatMap((page) => this.#pages.get(page)!);
    const moved = slots.splice(rankFrom - first * pageSize, 1);
    slots.splice(rankTo - first * pageSize, 0, ...moved);
    for (const page of pages) {
      const pageSlots = slots.splice(0, this.#pages.get(page)!.length);
      for (const item of pageSlots) if (item) this.pageById.set(item.id, page);
      this.#pages.set(page, pageSlots);
    }
    this.#publish();
    return true;
  }

  /** Reads the list again. The current content stays until the new one is loaded. */
  reload = (): void => {
    this.close();
    this.abortController = new AbortController();
    this.requests.clear();
    this.freshPages.clear();
    this.pageById.clear();
    this.startCursors = new Map([[0, null]]);
    this.#hasStops = false;
    this.hasFirstPage = false;
    this.changes.clear();
    this.removedCount = 0;
    this.problem = undefined;
    this.startRequests();
    this.onChange();
  };

  close(): void {
    this.abortController.abort();
  }

  /** Changes the loaded items; null removes one. They stay changed until `reload`. */
  edit(change: (item: Item) => Item | null): void {
    for (const [page, slots] of this.#pages) {
      let isChanged = false;
      const next = slots.map((item) => {
        const changed = item && change(item);
        if (changed === item) return item;
        isChanged = true;
        if (item) this.changes.set(item.id, changed);
        if (changed === null) this.removedCount += 1;
        return changed;
      });
      if (isChanged) this.#pages.set(page, next);
    }
    this.#publish();
    // Other items may have moved into the visible range.
    this.startRequests();
  }

  #publish(): void {
    this.items = new Items(new Map(this.#pages), this.#source.pageSize);
    this.count =
      this.lastPage === undefined
        ? undefined
        : this.lastPage * this.#source.pageSize + this.#lastLength - this.items.removedCount;
    this.onChange();
  }

  /** Settles the ranges that are loaded, and starts further requests up to the maximum. */
  startRequests(): void {
    for (const pending of this.pendingRanges) {
      if (!this.problem && this.missingPages(pending.range).length > 0) continue;
      this.pendingRanges.delete(pending);
      pending.settle();
    }
    while (!this.problem && this.requests.size < maxRequests) {
      const next = this.nextRequest();
      if (next === undefined) return;
      // Stops do not count removed items, but the pages loaded before do.
      if (next === 'stops' && this.removedCount > 0) {
        this.reload();
        return;
      }
      this.requests.add(next);
      this.onChange();
      void this.#run(next, this.abortController.signal);
    }
  }

  async #run(target: number | 'stops', signal: AbortSignal): Promise<void> {
    try {
      if (target === 'stops') await this.#readStops(signal);
      else await this.#readPage(target, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.problem = this.#source.problemOf(error);
    }
    if (signal.aborted) return;
    this.requests.delete(target);
    this.#publish();
    this.startRequests();
  }

  get #ranges(): Range[] {
    return [this.visibleRange, ...[...this.pendingRanges].map(({ range }) => range)];
  }

  #pagesOf([from, to]: Range): number[] {
    const pageOf = (index: number): number =>
      Math.floor(this.items.rankOf(index) / this.#source.pageSize);
    const [first, end] = [pageOf(from), pageOf(to - 1)];
    const last = Math.min(end, this.lastPage ?? end);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  }

  /** The pages of these indexes that are not loaded. */
  missingPages(range: Range): number[] {
    return this.#pagesOf(range).filter((page) => !this.freshPages.has(page));
  }

  nextRequest(): number | 'stops' | undefined {
    if (!this.hasFirstPage) return this.requests.has(0) ? undefined : 0;
    for (const page of this.#ranges.flatMap((range) => this.missingPages(range))) {
      let start = page;
      while (!this.startCursors.has(start)) start -= 1;
      const isFar = page - start > maxSequentialPages && !this.#hasStops;
      const next = isFar ? 'stops' : start;
      if (!this.requests.has(next)) return next;
    }
    return undefined;
  }

  async #readStops(signal: AbortSignal): Promise<void> {
    const { every, cursors } = await this.#source.loadStops(signal);
    if (signal.aborted) return;
    const pagesPerStop = every / this.#source.pageSize;
    for (const [at, cursor] of cursors.entries()) {
      const page = (at + 1) * pagesPerStop;
      if (!this.startCursors.has(page)) this.startCursors.set(page, cursor);
    }
    this.#hasStops = true;
  }

  async #readPage(page: number, signal: AbortSignal): Promise<void> {
    const { pageSize } = this.#source;
    const loaded = await this.#source.loadPage(this.startCursors.get(page) ?? null, signal);
    if (signal.aborted) return;
    if (page === 0) this.onFirstPage(loaded.correctedQuery);
    this.#pages.set(page, this.slotsOf(page, loaded));
    this.freshPages.add(page);
    if (loaded.nextCursor === null) {
      this.lastPage = page;
      this.#lastLength = loaded.items.length;
      for (const other of this.#pages.keys()) if (other > page) this.#drop(other);
    } else {
      // The list has grown at its end.
      if (page === this.lastPage) this.lastPage = undefined;
      if (!this.freshPages.has(page + 1)) this.startCursors.set(page + 1, loaded.nextCursor);
    }
    this.dropDistant(Math.floor(this.items.rankOf(this.visibleRange[0]) / pageSize));
    loaded.complete?.().then(
      (complete) => !signal.aborted && this.#complete(page, complete),
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }

  /** Drops the pages from before `reload`, except visible ones, once the first page is loaded. */
  onFirstPage(correctedQuery: string | undefined): void {
    this.correctedQuery = correctedQuery;
    this.hasFirstPage = true;
    this.lastPage = undefined;
    this.dropStale();
  }

  /** Drops pages from before `reload`. Visible ones stay until their replacements are loaded. */
  dropStale(): void {
    const visiblePages = new Set(this.missingPages(this.visibleRange));
    for (const page of this.#pages.keys()) {
      if (!this.freshPages.has(page) && !visiblePages.has(page)) this.#pages.delete(page);
    }
  }

  /** Returns the slots of a page. An item that was already read on another page leaves its slot empty. */
  slotsOf(page: number, { items, nextCursor }: LoadedPage): Slots {
    const slots: (Item | null)[] = items.map((item) => {
      const knownPage = this.pageById.get(item.id) ?? page;
      if (knownPage !== page) return null;
      this.pageById.set(item.id, page);
      const change = this.changes.get(item.id);
      return change === undefined ? item : change;
    });
    // A page lacks objects that were deleted while it was read.
    while (nextCursor !== null && slots.length < this.#source.pageSize) slots.push(null);
    return slots;
  }

  #complete(page: number, complete: (item: Item) => Item): void {
    const slots = this.#pages.get(page);
    if (!slots) return;
    this.#pages.set(
      page,
      slots.map((item) => {
        const completed = item && complete(item);
        if (completed && this.changes.has(completed.id)) this.changes.set(completed.id, completed);
        return completed;
      }),
    );
    this.#publish();
  }

  dropDistant(firstVisiblePage: number): void {
    const neededPages = new Set(this.#ranges.flatMap((range) => this.#pagesOf(range)));
    const droppable = [...this.#pages]
      .filter(([page, slots]) => !neededPages.has(page) && !slots.includes(null))
      .map(([page]) => page)
      .sort((a, b) => Math.abs(b - firstVisiblePage) - Math.abs(a - firstVisiblePage));
    for (const page of droppable.slice(0, Math.max(0, this.#pages.size - maxPages)))
      this.#drop(page);
  }

  #drop(page: number): void {
    for (const item of this.#pages.get(page) ?? []) if (item) this.pageById.delete(item.id);
    this.#pages.delete(page);
    this.freshPages.delete(page);
  }
}
