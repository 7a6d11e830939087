import type { Page } from 'playwright-core';

/** The measurements of a page during an action. */
export interface PageMeasurements {
  /** The durations of tasks over 50 ms. */
  tasks: number[];
  /** The times between frames. */
  frames: number[];
  /** The highest number of elements. */
  elements: number;
  /** The scripts that ran longest within a frame over 50 ms. */
  scripts: { name: string; ms: number }[];
  /** How long it took until all visible tiles had their item; null if they never did. */
  shownMs: number | null;
}

/**
 * Runs `act`, the body of an async function, in the page. It can call `frame()`, which waits for
 * the next frame, and `shown()`, which waits until every visible tile has its item.
 */
export function measureDuring(page: Page, script: string): Promise<PageMeasurements> {
  return page.evaluate(`(async () => {
    const [tasks, frames, scripts] = [[], [], []];
    let elements = 0;
    let shownMs = null;
    const observe = (type, see) => {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(see));
      observer.observe({ type });
      return observer;
    };
    const observers = [
      observe('longtask', ({ duration }) => tasks.push(duration)),
      observe('long-animation-frame', (frame) => {
        for (const { duration, invoker, sourceFunctionName } of frame.scripts) {
          scripts.push({ name: invoker + ' ' + sourceFunctionName, ms: duration });
        }
      }),
    ];
    let last = performance.now();
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      elements = Math.max(elements, document.getElementsByTagName('*').length);
      resolve();
    }));
    const shown = async () => {
      const start = performance.now();
      const waits = () => document.querySelector('.browse-grid.stale, [data-index][aria-busy]');
      for (let at = 0; at < 3; at++) await frame();
      while (waits() && performance.now() - start < 60_000) await frame();
      if (!waits()) shownMs = Math.max(shownMs ?? 0, performance.now() - start);
    };
    await frame();
    frames.length = 0;
    await (async () => { ${script} })();
    // The entries of the last task.
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const observer of observers) observer.disconnect();
    scripts.sort((a, b) => b.ms - a.ms);
    return { tasks, frames, elements, scripts: scripts.slice(0, 3), shownMs };
  })()`) as Promise<PageMeasurements>;
}
