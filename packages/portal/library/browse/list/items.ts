import type { Item } from '../item.ts';

/** The items on a page of a list; null for an item that was removed from the list. */
export type Slots = readonly (Item | null)[];

/** The items of a list by their index; undefined where no page is loaded. */
export class Items {
  /** The index after the last one that is loaded. */
  readonly end: number;
  /** The ranks of the removed items, in order. */
  readonly removedRanks: readonly number[];
  readonly pageOrder: readonly number[];

  constructor(
    readonly pages: ReadonlyMap<number, Slots>,
    readonly pageSize: number,
  ) {
    this.pageOrder = [...pages.keys()].sort((a, b) => a - b);
    const removedRanks: number[] = [];
    for (const page of this.pageOrder) {
      for (const [at, item] of pages.get(page)!.entries()) {
        if (item === null) removedRanks.push(page * pageSize + at);
      }
    }
    this.removedRanks = removedRanks;
    const last = this.pageOrder.at(-1);
    const rankCount = last === undefined ? 0 : last * pageSize + pages.get(last)!.length;
    this.end = rankCount - this.removedRanks.length;
  }

  /** The number of loaded items that were removed from the list. */
  get removedCount(): number {
    return this.removedRanks.length;
  }

  /** The loaded items, in list order. */
  get loaded(): Item[] {
    return this.pageOrder.flatMap((page) => this.pages.get(page)!.filter((item) => item !== null));
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
    let removedBefore = 0;
    for (const page of this.pageOrder) {
      for (const [at, item] of this.pages.get(page)!.entries()) {
        if (!item) removedBefore += 1;
        else if (item.id === id) return page * this.pageSize + at - removedBefore;
      }
    }
    return -1;
  }

  /** Returns the position of an index in the list as it was read, counting items removed since. */
  rankOf(index: number): number {
    let [low, high] = [0, this.removedRanks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.removedRanks[middle]! - middle <= index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  }
}
