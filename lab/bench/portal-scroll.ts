import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { logIn, openTab, startBrowser, type Tab } from '../../test/support/browser.ts';
import { integerFromEnv } from '../number-options.ts';
import { median, percentile } from './support/figures.ts';
import { type CpuTasks, traceTasks } from './support/library/cpu-tasks.ts';
import { measureDuring, type PageMeasurements } from './support/library/measure-page.ts';
import { requireSetting } from './support/library/settings.ts';

/**
 * Moves through the library that script/seed created in a running script/server, in Chromium, in
 * each layout: slowly, fast down and back, by the thumb of the scrollbar to the middle, and by the
 * months; and moves the map. Measures frames, long tasks and the highest number of elements. Reads
 * SERVICE_URL, PROJECT_ID and API_KEY; ROUNDS, LAYOUTS, WAYS, VIEW (the query of the library) and
 * STEP (pixels per frame when fast) are optional.
 */
const rounds = integerFromEnv('ROUNDS', 3);
const step = integerFromEnv('STEP', 2_000);
const view = process.env.VIEW ?? '';
const layouts = (process.env.LAYOUTS ?? 'grid justified list map').split(' ');

/** How to move, as `watch` runs it. */
const movements: Record<string, string> = {
  slow: `
    for (let at = 0; at < 400; at++) { scrollBy(0, 60); await frame(); }
    await shown();`,
  fast: `
    for (const by of [${step}, -${step}]) {
      for (let at = 0; at < 400; at++) { scrollBy(0, by); await frame(); }
      await shown();
    }`,
  // Half the way down within two seconds, with a short stop on the way, then released.
  thumb: `
    const height = document.documentElement.scrollHeight / 2;
    for (let at = 1; at <= 120; at++) { scrollTo(0, (height * at) / 120); await frame(); }
    await shown();
    for (let at = 0; at < 60; at++) await frame();`,
  // Each step covers a quarter of the remaining months.
  months: `
    for (let at = 0; at < 5; at++) {
      const months = [...document.querySelectorAll('nav[aria-label=Months] button')];
      const month = months[Math.floor(months.length / 4)];
      if (!month) break;
      month.click();
      await shown();
      for (let still = 0; still < 30; still++) await frame();
    }`,
};
/** The measurements of one way of moving. */
type Measurement = PageMeasurements & { cpu: CpuTasks; heapMb: number; peakMb: number };

const selectedMovements = (process.env.WAYS ?? Object.keys(movements).join(' ')).split(' ');

const browser = await startBrowser();
try {
  console.log(
    `${rounds} rounds; frames: median, p95, worst, over 16.7 ms, over 25 ms; tasks over 50 ms`,
  );
  for (const layout of layouts) {
    if (layout === 'map') await measure('map', '', '/library/map', moveMap);
    else {
      for (const movement of selectedMovements) {
        await measure(layout, movement, `/library${view}`, ({ page }) =>
          measureDuring(page, movements[movement]!),
        );
      }
    }
  }
} finally {
  await browser.close();
}

/** Each round in a new tab, with nothing loaded. */
async function measure(
  layout: string,
  movement: string,
  path: string,
  move: (tab: Tab) => Promise<PageMeasurements>,
): Promise<void> {
  const all: Measurement[] = [];
  for (let round = 0; round < rounds; round++) {
    const tab = await openTab({ newProcess: true });
    try {
      await tab.page.addInitScript(`localStorage.setItem('library-view', '${layout} normal')`);
      const tenant = {
        projectId: requireSetting('PROJECT_ID'),
        key: requireSetting('API_KEY'),
        keyId: '',
      };
      await logIn(tab, requireSetting('SERVICE_URL'), tenant, path);
      await untilReady(tab.page, layout);
      const stop = await traceTasks(browser);
      const watched = await move(tab);
      const cpu = await stop();
      all.push({ ...watched, cpu, ...(await memoryOf(tab)) });
      console.log(formatMeasurements(`${layout} ${movement} ${round + 1}`, all.slice(-1)));
      for (const one of cpu.longest) console.log(`  ${one}`);
      if (tab.faults.length > 0) console.log(`  faults: ${tab.faults.slice(0, 3).join('\n')}`);
    } finally {
      await tab.close();
    }
  }
  console.log(formatMeasurements(`${layout} ${movement}, all`, all));
  const [slowest] = all.flatMap(({ scripts }) => scripts).sort((a, b) => b.ms - a.ms);
  if (slowest) console.log(`  longest script: ${slowest.name} ${slowest.ms.toFixed(0)} ms`);
}

async function untilReady(page: Page, layout: string): Promise<void> {
  if (layout === 'map') await page.locator('.map-place').first().waitFor();
  else {
    await page.getByText(/^[\d,]+ (images|items|PDFs)$/).waitFor();
    await page.locator('[data-index="0"]:not([aria-busy])').waitFor();
  }
}

/** In megabytes: the script's memory after a collection, and the peak of the tab's process. */
async function memoryOf({ page, context }: Tab): Promise<{ heapMb: number; peakMb: number }> {
  const tab = await context.newCDPSession(page);
  await tab.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tab.send('Runtime.getHeapUsage');
  const browserSession = await browser.newBrowserCDPSession();
  const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo');
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
  return { heapMb: usedSize / 1e6, peakMb: Math.max(...peaks.map((kb) => Number(kb ?? 0))) / 1e3 };
}

function formatMeasurements(name: string, all: readonly Measurement[]): string {
  const frames = all.flatMap((one) => one.frames);
  const tasks = all.flatMap((one) => one.tasks);
  const cpuTasks = all.flatMap((one) => one.cpu.tasks);
  const shareAbove = (limit: number): string =>
    `${((100 * frames.filter((ms) => ms > limit).length) / frames.length).toFixed(1)} %`;
  const [p50, p95, worst] = [median(frames), percentile(frames, 0.95), Math.max(...frames)];
  const shownMs = all.flatMap((one) => one.shownMs ?? []);
  const shown =
    shownMs.length === 0 ? '' : `; items there within ${median(shownMs).toFixed(0)} ms at the end`;
  return (
    `${name.padEnd(24)} ${frames.length} frames: ${p50.toFixed(1)}, ${p95.toFixed(1)}, ${worst.toFixed(0)} ms, ` +
    // At 60 frames a second, a frame takes 16.67 ms, give or take the clock's resolution.
    `${shareAbove(17.2)}, ${shareAbove(25)}; ${tasks.length} tasks, the longest ${Math.max(0, ...tasks).toFixed(0)} ms; ` +
    `of CPU ${cpuTasks.filter((ms) => ms > 50).length}, ${Math.max(0, ...cpuTasks).toFixed(0)} ms; ` +
    `${Math.max(...all.map((one) => one.elements))} elements, ` +
    `${Math.max(...all.map((one) => one.heapMb)).toFixed(0)} MB of script, ` +
    `${Math.max(...all.map((one) => one.peakMb)).toFixed(0)} MB in all${shown}`
  );
}

/** Zooms into the map, moves it and zooms out. */
async function moveMap({ page }: Tab): Promise<PageMeasurements> {
  const frame = page.getByRole('group', { name: 'World' });
  const box = (await frame.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const watched = measureDuring(page, 'for (let at = 0; at < 600; at++) await frame();');
  await page.mouse.move(x, y);
  for (let at = 0; at < 20; at++) await page.mouse.wheel(0, -100);
  await page.mouse.down();
  for (let at = 0; at < 60; at++) await page.mouse.move(x + 3 * at, y + at);
  await page.mouse.up();
  for (let at = 0; at < 20; at++) await page.mouse.wheel(0, 100);
  return watched;
}
