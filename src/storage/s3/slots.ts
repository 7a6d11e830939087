/** Limits the amount of work that runs at once; other work waits in order. */
export interface Slots {
  use<T>(work: () => Promise<T>): Promise<T>;
}

/** Lets `count` pieces of work run at once; others wait for their turn. */
export function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async use(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // The next waiter gets the released slot directly.
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
