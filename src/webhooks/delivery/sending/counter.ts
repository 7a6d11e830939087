interface Counter {
  count(): number;
  /** Counts one in; what it returns counts it out. */
  enter(): () => void;
  /** Resolves when there are no more than so many, or after so many milliseconds. */
  atMost(wanted: number, limitMs: number): Promise<void>;
}

/** Counts what is under way, for those who wait until it is less. */
export function counter(): Counter {
  let inside = 0;
  let waiting: { wanted: number; resolve: () => void }[] = [];
  return {
    count: () => inside,
    enter() {
      inside += 1;
      return () => {
        inside -= 1;
        const told = waiting.filter(({ wanted }) => inside <= wanted);
        if (told.length === 0) return;
        waiting = waiting.filter(({ wanted }) => inside > wanted);
        for (const { resolve } of told) resolve();
      };
    },
    atMost(wanted, limitMs) {
      if (inside <= wanted || limitMs <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const entry = {
          wanted,
          resolve() {
            clearTimeout(timer);
            resolve();
          },
        };
        waiting.push(entry);
        if (limitMs === Number.POSITIVE_INFINITY) return;
        timer = setTimeout(() => {
          waiting = waiting.filter((other) => other !== entry);
          resolve();
        }, limitMs);
      });
    },
  };
}
