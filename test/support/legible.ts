import type { Page } from 'playwright-core';
import { scrollsSideways, seriousFindings } from './browser.ts';

/**
 * What keeps a page from being legible to all, one line each: what axe-core finds on a narrow screen
 * and at 200 % zoom (which halves the width), in one theme each, and where it scrolls sideways. It is
 * laid out anew, not loaded anew, and left in the light at the size it had.
 */
export async function illegible(page: Page): Promise<string[]> {
  const found: string[] = [];
  const size = page.viewportSize()!;
  const looks = [
    { theme: 'light', width: 320 },
    { theme: 'dark', width: 640 },
  ] as const;
  for (const { theme, width } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: size.height });
    const findings = await seriousFindings(page);
    if (await scrollsSideways(page)) findings.push('It scrolls sideways.');
    found.push(...findings.map((one) => `${theme}, ${width} px: ${one}`));
  }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
  if (await scrollsSideways(page)) found.push(`${size.width} px: It scrolls sideways.`);
  return found;
}
