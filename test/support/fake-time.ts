/** Time that passes only while a test waits with `pause`. */
export interface FakeTime {
  now(): number;
  pause(milliseconds: number): Promise<void>;
  advance(milliseconds: number): void;
}

/** @param factor how many milliseconds pass for each that is waited for */
export function createFakeTime(factor = 1): FakeTime {
  let time = 0;
  return {
    now: () => time,
    async pause(milliseconds) {
      time += milliseconds * factor;
      // Others get their turn, and so do sockets.
      await new Promise((resume) => setImmediate(resume));
    },
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}
