export interface Counter {
  count(): number;
  /** Counts one in; the returned function counts it out. */
  enter(): () => void;
  /** Resolves when the count is at most this, or after this many milliseconds. */
  atMost(wanted: number, limitMs: number): Promise<void>;
}

/** Counts attempts in progress, for callers that wait until there are fewer. */
export function counter(): Counter {
  let inside = 0;
  let waiting: { wanted: number; resolve: () => void }[] = [];
  return {
    count: () => inside,
    enter() {
      inside += 1;
      return () => {
        inside -= 1;
        const ready = waiting.filter(({ wanted }) => inside <= wanted);
        if (ready.length === 0) return;
        waiting = waiting.filter(({ wanted }) => inside > wanted);
        for (const { resolve } of ready) resolve();
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
