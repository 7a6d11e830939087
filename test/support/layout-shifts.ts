import type { Page } from 'playwright-core';
import type { Tab } from './browser.ts';

/** A jump of what was already drawn, without input of the user. */
interface Shift {
  value: number;
  /** When it happened, in milliseconds since the page was opened. */
  at: number;
  /** The elements that moved, with their top and height before and after. */
  moved: string[];
}

const untilDrawnScript =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

const observeScript = `(() => {
  globalThis.shifts = [];
  const named = (node) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement;
    if (!element) return 'removed';
    const classes = typeof element.className === 'string' ? element.className : '';
    return element.tagName.toLowerCase() + (classes ? '.' + classes.trim().replaceAll(/\\s+/g, '.') : '');
  };
  const box = ({ top, height }) => Math.round(top) + '+' + Math.round(height);
  new PerformanceObserver((list) => {
    for (const { value, startTime: at, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources.map((one) =>
        named(one.node) + ' ' + box(one.previousRect) + ' > ' + box(one.currentRect));
      globalThis.shifts.push({ value, at, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

/**
 * Holds the requests and pictures of the API within the page: to take requests from the browser and
 * hand them on turns off its cache, and a page costs twice the time.
 */
const delayScript = `(() => {
  const isOfApi = (address) => String(address.url ?? address).includes('/v1/');
  const { fetch } = globalThis;
  globalThis.fetch = async (...given) => {
    if (isOfApi(given[0])) await ${untilDrawnScript};
    return fetch(...given);
  };
  for (const name of ['src', 'srcset']) {
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, name);
    Object.defineProperty(HTMLImageElement.prototype, name, {
      get,
      set(address) {
        if (isOfApi(address)) void ${untilDrawnScript}.then(() => set.call(this, address));
        else set.call(this, address);
      },
    });
  }
})()`;

/**
 * Observes the layout of each page of the tab from its start. Every response of the API is held until
 * the page has been drawn without it, so that what is shown meanwhile counts, however fast the API is.
 */
export async function observeShifts(tab: Tab): Promise<void> {
  await tab.onEachPage(observeScript);
  await tab.onEachPage(delayScript);
}

/**
 * The shifts of the page since it was opened, their sum, and the CLS: the worst sum of a session,
 * which ends after a second without a shift, and after five (web.dev/articles/cls).
 */
export async function shiftsOf(
  page: Page,
): Promise<{ sum: number; worst: number; shifts: Shift[] }> {
  await page.evaluate(untilDrawnScript);
  const shifts = JSON.parse(
    (await page.evaluate('JSON.stringify(globalThis.shifts)')) as string,
  ) as Shift[];
  let [worst, session, start, last] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const { value, at } of shifts) {
    if (at - last >= 1_000 || at - start >= 5_000) [session, start] = [0, at];
    session += value;
    last = at;
    worst = Math.max(worst, session);
  }
  return { sum: shifts.reduce((sum, { value }) => sum + value, 0), worst, shifts };
}

/** Forgets the shifts so far. */
export async function forgetShifts(page: Page): Promise<void> {
  await page.evaluate(`${untilDrawnScript}.then(() => { globalThis.shifts.length = 0; })`);
}

/** Knows when a tab waits for nothing. Streams stay open and do not count. */
export function watchRequests({ page }: Tab): { untilIdle(): Promise<void> } {
  const openRequests = new Set<object>();
  let wake = (): void => undefined;
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') openRequests.add(request);
  });
  const end = (request: object): void => {
    openRequests.delete(request);
    wake();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return {
    async untilIdle() {
      // What a response shows may ask for more once it is drawn, and be held: four times nothing is
      // the end.
      for (let quiet = 0; quiet < 4; ) {
        if (openRequests.size > 0) {
          quiet = 0;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        await page.evaluate(untilDrawnScript);
        quiet = openRequests.size === 0 ? quiet + 1 : 0;
      }
    },
  };
}
