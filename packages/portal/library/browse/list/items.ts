import type { Item } from '../item.ts';

/** The items on a page of a list; null for one that has left the list. */
export type Slots = readonly (Item | null)[];

/** The items of a list by their index; undefined where no page is loaded. */
export class Items {
  /** The index after the last one that is loaded. */
  readonly end: number;
  /** The ranks of those that have left, in order. */
  readonly #left: readonly number[];
  readonly #order: readonly number[];

  constructor(
    readonly pages: ReadonlyMap<number, Slots>,
    readonly pageSize: number,
  ) {
    this.#order = [...pages.keys()].sort((a, b) => a - b);
    const left: number[] = [];
    for (const page of this.#order) {
      for (const [at, item] of pages.get(page)!.entries()) {
        if (item === null) left.push(page * pageSize + at);
      }
    }
    this.#left = left;
    const last = this.#order.at(-1);
    const ranks = last === undefined ? 0 : last * pageSize + pages.get(last)!.length;
    this.end = ranks - this.#left.length;
  }

  /** The number of loaded items that have left the list. */
  get left(): number {
    return this.#left.length;
  }

  /** The loaded items, in list order. */
  get loaded(): Item[] {
    return this.#order.flatMap((page) => this.pages.get(page)!.filter((item) => item !== null));
  }

  at(index: number): Item | undefined {
    const rank = this.rankOf(index);
    const slots = this.pages.get(Math.floor(rank / this.pageSize));
    return slots?.[rank % this.pageSize] ?? undefined;
  }

  slice(from: number, to: number): (Item | undefined)[] {
    return Array.from({ length: Math.max(0, to - from) }, (_, at) => this.at(from + at));
  }

  /** The index of an item, or -1 if it is not loaded. */
  indexOf(id: string): number {
    let before = 0;
    for (const page of this.#order) {
      for (const [at, item] of this.pages.get(page)!.entries()) {
        if (!item) before += 1;
        else if (item.id === id) return page * this.pageSize + at - before;
      }
    }
    return -1;
  }

  /** The place of an index in the list as it was read, with those that have left it since. */
  rankOf(index: number): number {
    let [low, high] = [0, this.#left.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#left[middle]! - middle <= index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  }
}
