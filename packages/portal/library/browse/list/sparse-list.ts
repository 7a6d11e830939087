import type { Item } from '../item.ts';
import { Items, type Slots } from './items.ts';

/** A page of a list. */
export interface LoadedPage {
  items: readonly Item[];
  /** The cursor of the next page. */
  next: string | null;
  /** The query that was searched, if its words were corrected. */
  corrected?: string | undefined;
  /** Completes the items, once the data is available. */
  completed?: Promise<(item: Item) => Item>;
}

/** The source of a list. */
export interface Source<Problem> {
  pageSize: number;
  /** The page at a cursor; null for the first. */
  load: (cursor: string | null, signal: AbortSignal) => Promise<LoadedPage>;
  /** Converts the error of a failed request. @throws an error that is a bug */
  problemOf: (error: unknown) => Problem;
  /** Whether the same request may succeed later. */
  isPassing: (problem: Problem) => boolean;
  /** Cursors to places far down, each after `every` more items. */
  stops: (signal: AbortSignal) => Promise<{ every: number; cursors: readonly string[] }>;
}

/** A page that is this many pages from what is known is reached page by page. */
const near = 2;
/** More requests at once would only wait for each other. */
const atOnce = 2;
/** Maximum number of pages that stay loaded. */
const maxPages = 50;

type Range = readonly [from: number, to: number];

/**
 * A list of any length, with the pages around the visible range loaded. Cursors lead from page to
 * page; to a page far from the others, a stop of the list does. Pages far from what is shown are
 * dropped, except those with items that have left the list: the places after them would move.
 */
export class SparseList<Problem> {
  items: Items;
  problem: Problem | undefined;
  corrected: string | undefined;
  /** The number of items, once the last page was reached. */
  count: number | undefined;
  /** The number of items that have left the list through `edit` since it was loaded. */
  gone = 0;
  onChange: () => void = () => undefined;

  readonly #source: Source<Problem>;
  #pages = new Map<number, Slots>();
  /** The pages that belong to the list as it is now, not as it was before `reload`. */
  #fresh = new Set<number>();
  /** The cursor at which each page starts. */
  #starts = new Map<number, string | null>([[0, null]]);
  #hasStops = false;
  #hasFirst = false;
  #last: number | undefined;
  #lastLength = 0;
  #changed = new Map<string, Item | null>();
  #pageOf = new Map<string, number>();
  #wanted: Range = [0, 1];
  /** Ranges that are awaited as a whole. */
  #awaited = new Set<{ range: Range; settle: () => void }>();
  #running = new Set<number | 'stops'>();
  #ending = new AbortController();

  constructor(source: Source<Problem>) {
    this.#source = source;
    this.items = new Items(this.#pages, source.pageSize);
  }

  /** Whether its beginning is loaded, or cannot be. */
  get hasBegun(): boolean {
    return this.items.pages.size > 0 || this.problem !== undefined;
  }

  get loading(): boolean {
    return this.#running.size > 0;
  }

  /** Loads the items at these indexes, and no others that are not loaded yet. */
  want(from: number, to: number): void {
    const end = Math.max(to, from + 1);
    const hasMoved = from !== this.#wanted[0] || end !== this.#wanted[1];
    this.#wanted = [from, end];
    // Scrolling on retries.
    if (hasMoved && this.problem !== undefined && this.#source.isPassing(this.problem)) {
      this.problem = undefined;
    }
    if (this.#hasFirst) this.#dropUnread();
    this.#proceed();
  }

  /** Loads items, and returns them once all of them are there; null if they cannot be loaded. */
  async range(from: number, to: number): Promise<Item[] | null> {
    await new Promise<void>((resolve) => {
      const awaited = { range: [from, to] as const, settle: resolve };
      this.#awaited.add(awaited);
      this.#proceed();
    });
    if (this.#missing([from, to]).length > 0) return null;
    return this.items.slice(from, to).filter((item) => item !== undefined);
  }

  /** Reads the list again. The current content stays until the new one is loaded. */
  reload = (): void => {
    this.close();
    this.#ending = new AbortController();
    this.#running.clear();
    this.#fresh.clear();
    this.#pageOf.clear();
    this.#starts = new Map([[0, null]]);
    this.#hasStops = false;
    this.#hasFirst = false;
    this.#changed.clear();
    this.gone = 0;
    this.problem = undefined;
    this.#proceed();
    this.onChange();
  };

  close(): void {
    this.#ending.abort();
  }

  /** Changes the loaded items; null removes one. They stay changed until `reload`. */
  edit(change: (item: Item) => Item | null): void {
    for (const [page, slots] of this.#pages) {
      let isChanged = false;
      const next = slots.map((item) => {
        const then = item && change(item);
        if (then === item) return item;
        isChanged = true;
        if (item) this.#changed.set(item.id, then);
        if (then === null) this.gone += 1;
        return then;
      });
      if (isChanged) this.#pages.set(page, next);
    }
    this.#publish();
    // Others have moved up into what is wanted.
    this.#proceed();
  }

  #publish(): void {
    this.items = new Items(new Map(this.#pages), this.#source.pageSize);
    this.count =
      this.#last === undefined
        ? undefined
        : this.#last * this.#source.pageSize + this.#lastLength - this.items.left;
    this.onChange();
  }

  /** Starts what is to be loaded next, as far as not too much is loading. */
  #proceed(): void {
    for (const awaited of this.#awaited) {
      if (!this.problem && this.#missing(awaited.range).length > 0) continue;
      this.#awaited.delete(awaited);
      awaited.settle();
    }
    while (!this.problem && this.#running.size < atOnce) {
      const next = this.#next();
      if (next === undefined) return;
      // Stops do not count those that have left, as the pages read before do.
      if (next === 'stops' && this.gone > 0) {
        this.reload();
        return;
      }
      this.#running.add(next);
      this.onChange();
      void this.#run(next, this.#ending.signal);
    }
  }

  async #run(what: number | 'stops', signal: AbortSignal): Promise<void> {
    try {
      if (what === 'stops') await this.#readStops(signal);
      else await this.#readPage(what, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.problem = this.#source.problemOf(error);
    }
    if (signal.aborted) return;
    this.#running.delete(what);
    this.#publish();
    this.#proceed();
  }

  get #ranges(): Range[] {
    return [this.#wanted, ...[...this.#awaited].map(({ range }) => range)];
  }

  #pagesOf([from, to]: Range): number[] {
    const pageOf = (index: number): number =>
      Math.floor(this.items.rankOf(index) / this.#source.pageSize);
    const [first, end] = [pageOf(from), pageOf(to - 1)];
    const last = Math.min(end, this.#last ?? end);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  }

  /** The pages of these indexes that are not loaded. */
  #missing(range: Range): number[] {
    return this.#pagesOf(range).filter((page) => !this.#fresh.has(page));
  }

  #next(): number | 'stops' | undefined {
    if (!this.#hasFirst) return this.#running.has(0) ? undefined : 0;
    for (const page of this.#ranges.flatMap((range) => this.#missing(range))) {
      let start = page;
      while (!this.#starts.has(start)) start -= 1;
      const isFar = page - start > near && !this.#hasStops;
      const next = isFar ? 'stops' : start;
      if (!this.#running.has(next)) return next;
    }
    return undefined;
  }

  async #readStops(signal: AbortSignal): Promise<void> {
    const { every, cursors } = await this.#source.stops(signal);
    if (signal.aborted) return;
    const pages = every / this.#source.pageSize;
    for (const [at, cursor] of cursors.entries()) {
      const page = (at + 1) * pages;
      if (!this.#starts.has(page)) this.#starts.set(page, cursor);
    }
    this.#hasStops = true;
  }

  async #readPage(page: number, signal: AbortSignal): Promise<void> {
    const { pageSize } = this.#source;
    const loaded = await this.#source.load(this.#starts.get(page) ?? null, signal);
    if (signal.aborted) return;
    if (page === 0) this.#begin(loaded.corrected);
    this.#pages.set(page, this.#placed(page, loaded));
    this.#fresh.add(page);
    if (loaded.next === null) {
      this.#last = page;
      this.#lastLength = loaded.items.length;
      for (const other of this.#pages.keys()) if (other > page) this.#drop(other);
    } else {
      // The list has grown at its end.
      if (page === this.#last) this.#last = undefined;
      if (!this.#fresh.has(page + 1)) this.#starts.set(page + 1, loaded.next);
    }
    this.#dropFar(Math.floor(this.items.rankOf(this.#wanted[0]) / pageSize));
    loaded.completed?.then(
      (complete) => !signal.aborted && this.#complete(page, complete),
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }

  /** The first page is there: of what was read before, only what is shown stays until it is read. */
  #begin(corrected: string | undefined): void {
    this.corrected = corrected;
    this.#hasFirst = true;
    this.#last = undefined;
    this.#dropUnread();
  }

  /** Drops pages of the list as it was before, except those that are shown until they are read. */
  #dropUnread(): void {
    const shown = new Set(this.#missing(this.#wanted));
    for (const page of this.#pages.keys()) {
      if (!this.#fresh.has(page) && !shown.has(page)) this.#pages.delete(page);
    }
  }

  /** The items of a page in their slots: others may have moved while the list was read. */
  #placed(page: number, { items, next }: LoadedPage): Slots {
    const slots: (Item | null)[] = items.map((item) => {
      const elsewhere = this.#pageOf.get(item.id) ?? page;
      if (elsewhere !== page) return null;
      this.#pageOf.set(item.id, page);
      const changed = this.#changed.get(item.id);
      return changed === undefined ? item : changed;
    });
    // Objects deleted while the page was read are missing from it.
    while (next !== null && slots.length < this.#source.pageSize) slots.push(null);
    return slots;
  }

  #complete(page: number, complete: (item: Item) => Item): void {
    const slots = this.#pages.get(page);
    if (!slots) return;
    this.#pages.set(
      page,
      slots.map((item) => {
        const then = item && complete(item);
        if (then && this.#changed.has(then.id)) this.#changed.set(then.id, then);
        return then;
      }),
    );
    this.#publish();
  }

  #dropFar(shown: number): void {
    const kept = new Set(this.#ranges.flatMap((range) => this.#pagesOf(range)));
    const far = [...this.#pages]
      .filter(([page, slots]) => !kept.has(page) && !slots.includes(null))
      .map(([page]) => page)
      .sort((a, b) => Math.abs(b - shown) - Math.abs(a - shown));
    for (const page of far.slice(0, Math.max(0, this.#pages.size - maxPages))) this.#drop(page);
  }

  #drop(page: number): void {
    for (const item of this.#pages.get(page) ?? []) if (item) this.#pageOf.delete(item.id);
    this.#pages.delete(page);
    this.#fresh.delete(page);
  }
}
