import type { Page } from 'playwright-core';
import { seriousFindings } from './axe.ts';
import { scrollsSideways } from './browser.ts';

const viewModes = [
  { theme: 'light', width: 320 },
  { theme: 'dark', width: 640 },
] as const;
/** LOOKS=all checks each state in both looks; by default they take turns. */
const alternates = process.env.LOOKS !== 'all';
let turn = 0;

/**
 * Returns what keeps a page from being legible to all, one line each: the findings of axe-core on a
 * narrow screen or at 200 % zoom (which halves the width), in one theme each, and where it scrolls
 * sideways. It is laid out again without a reload, and left in the light theme at its former size.
 */
export async function findLegibilityFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const size = page.viewportSize()!;
  turn += 1;
  for (const { theme, width } of alternates ? [viewModes[turn % 2]!] : viewModes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: size.height });
    const findings = [...(await seriousFindings(page)), ...(await findSidewaysScroll(page))];
    faults.push(...findings.map((one) => `${theme}, ${width} px: ${one}`));
  }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
  if (await scrollsSideways(page)) faults.push(`${size.width} px: It scrolls sideways.`);
  return faults;
}

/** Whether a page scrolls sideways, as it is or with the widest ids. */
export async function findSidewaysScroll(page: Page): Promise<string[]> {
  if (await scrollsSideways(page)) return ['It scrolls sideways.'];
  const restore = await widenIds(page);
  const isWide = await scrollsSideways(page);
  await restore();
  return isWide ? ['It scrolls sideways where an id is wide.'] : [];
}

/** Shows the widest ids there may be: letters differ in width, and ids are made of any. */
async function widenIds(page: Page): Promise<() => Promise<void>> {
  const changed = await page.evaluateHandle(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const changed = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = node.data;
      const wide = text.replace(/\\b([a-z]+)_[0-9a-z]{26}\\b/g, (_, kind) => kind + '_' + 'm'.repeat(26));
      if (wide === text) continue;
      node.data = wide;
      changed.push([node, text, wide]);
    }
    return changed;
  })()`);
  return async () => {
    await changed.evaluate((nodes) => {
      for (const [node, text, wide] of nodes as [{ data: string }, string, string][]) {
        if (node.data === wide) node.data = text;
      }
    });
    await changed.dispose();
  };
}
