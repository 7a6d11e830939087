import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { seriousFindings } from '../../support/axe.ts';
import { describeInBrowser, logIn, openTab, untilDrawn, visit } from '../../support/browser.ts';
import { fillScreens } from '../../support/fill-screens.ts';
import {
  forgetShifts,
  observeShifts,
  shiftsOf,
  watchRequests,
} from '../../support/layout-shifts.ts';
import { findSidewaysScroll } from '../../support/legible.ts';
import { openReviews, type Reviews } from '../../support/reviews.ts';

/** Of the Core Web Vitals, 0.1 is "good". */
const maxShift = 0.05;
/** Screens that still move more, and by how much at most. */
const moving: Readonly<Record<string, number>> = {
  // The last row that is visible moves out once a sentence above it takes another line.
  '/audit': 0.06,
};

/** Names the tables that scroll sideways within their frame, which hides their last column. */
async function findCutTables(page: Page): Promise<string[]> {
  await untilDrawn(page);
  const cut = await page
    .locator('.table-frame')
    .evaluateAll((frames) =>
      (frames as unknown as { scrollWidth: number; clientWidth: number; ariaLabel: string }[])
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map(
          ({ ariaLabel, scrollWidth, clientWidth }) =>
            `${ariaLabel}: ${scrollWidth} of ${clientWidth}`,
        ),
    );
  return cut.map((one) => `1024 px: cut: ${one}`);
}

/** What keeps each screen, opened from another one, from being legible to all: see `screens-loaded`. */
describeInBrowser('every screen of the portal, opened from another', () => {
  let on: Reviews;
  let screens: readonly string[];
  before(async () => {
    on = await openReviews();
    screens = await fillScreens(on);
  });
  after(() => on.close());

  it('stays where it is while it loads, and is accessible in either theme, at 390 and 320 px', async () => {
    const tab = await openTab({ width: 390, expected: [404, 409] });
    const { page } = tab;
    await observeShifts(tab);
    await logIn(tab, on.api.url, on.api, '/account');
    const requests = watchRequests(tab);
    const found: string[] = [];
    for (const [at, path] of screens.entries()) {
      // The themes take turns: they differ in nothing but colours, which the screens share.
      await page.emulateMedia({ colorScheme: at % 2 ? 'dark' : 'light' });
      await forgetShifts(page);
      await visit(page, path);
      await page.locator('#main h1, #main h2').first().waitFor();
      await requests.untilIdle();
      const { sum, shifts } = await shiftsOf(page);
      const findings = [...(await seriousFindings(page)), ...(await findSidewaysScroll(page))];
      if (sum >= (moving[path] ?? maxShift))
        findings.push(`moves by ${sum.toFixed(3)}: ${JSON.stringify(shifts)}`);
      await page.setViewportSize({ width: 320, height: 900 });
      findings.push(...(await findSidewaysScroll(page)).map((one) => `320 px: ${one}`));
      await page.setViewportSize({ width: 1024, height: 900 });
      findings.push(...(await findCutTables(page)));
      await page.setViewportSize({ width: 390, height: 900 });
      found.push(...findings.map((one) => `${path}: ${one}`));
    }
    expect(found.join('\n')).to.equal('');
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
