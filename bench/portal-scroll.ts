import { logIn, openTab, startBrowser, type Tab } from '../test/support/browser.ts';
import { median } from './support/figures.ts';

/**
 * Scrolls Browse from the first row to the last in Chromium, in each layout, with the library that
 * script/seed created in a running script/server. Measures long tasks, frames and the maximum number of
 * elements. Reads SERVICE_URL, PROJECT_ID and API_KEY; ROUNDS, STEP (pixels per frame), LAYOUTS and VIEW
 * (the query of the library) are optional.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const step = Number(process.env.STEP ?? 2_000);
const layouts = (process.env.LAYOUTS ?? 'grid justified list').split(' ');
const view = process.env.VIEW ?? '?show=images';

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: script/server writes it to .data/dev.env.`);
}

interface Scrolled {
  tasks: number[];
  frames: number[];
  elements: number;
  rows: number;
  missing: number;
}

const browser = await startBrowser();
try {
  for (const layout of layouts) await measure(layout);
} finally {
  await browser.close();
}

async function measure(layout: string): Promise<void> {
  const tab = await openTab(browser);
  try {
    await tab.page.addInitScript(`localStorage.setItem('library-view', '${layout} normal')`);
    const tenant = { projectId: setting('PROJECT_ID'), key: setting('API_KEY'), keyId: '' };
    await logIn(tab, setting('SERVICE_URL'), tenant, `/library${view}`);
    const count = tab.page.getByText(/^[\d,]+ (images|items)$/);
    await count.waitFor();
    console.log(`${layout}: ${await count.textContent()}, ${step} px a frame`);
    const longest: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { tasks, frames, elements, rows, missing } = await scroll(tab);
      longest.push(Math.max(0, ...tasks));
      frames.sort((a, b) => a - b);
      console.log(
        `round ${round + 1}: ${rows} rows, ${tasks.length} long tasks, the longest ${Math.max(0, ...tasks).toFixed(0)} ms; ` +
          `frames p50 ${at(frames, 0.5)} ms, p95 ${at(frames, 0.95)} ms, most ${at(frames, 1)} ms; ` +
          `at most ${elements} elements, ${missing} of them tiles without their image at the end`,
      );
    }
    console.log(`median of the longest tasks: ${median(longest).toFixed(0)} ms (at most 200)`);
    console.log(`faults: ${tab.faults.length === 0 ? 'none' : tab.faults.join('\n')}`);
  } finally {
    await tab.close();
  }
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0);
}

/** Scrolls to the end and back, one step per frame; waits at the end until everything has loaded. */
function scroll(tab: Tab): Promise<Scrolled> {
  return tab.page.evaluate(`(async (step) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const tasks = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration);
    });
    observer.observe({ type: 'longtask' });
    const frames = [];
    let elements = 0;
    let last = performance.now();
    const go = async (by) => {
      for (let still = 0; still < 3; ) {
        const before = scrollY;
        scrollBy(0, by);
        await frame();
        const now = performance.now();
        frames.push(now - last);
        last = now;
        elements = Math.max(elements, document.getElementsByTagName('*').length);
        still = scrollY === before ? still + 1 : 0;
      }
    };
    await go(step);
    const waiting = () => document.querySelectorAll('[role=gridcell][aria-busy]').length;
    for (let patience = 0; patience < 1200 && waiting() > 0; patience++) await frame();
    const missing = waiting();
    const rows = Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount'));
    last = performance.now();
    await go(-step);
    observer.disconnect();
    return { tasks, frames, elements, rows, missing };
  })(${step})`) as Promise<Scrolled>;
}
