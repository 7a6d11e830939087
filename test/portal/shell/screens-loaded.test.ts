import { expect } from 'chai';
import { seriousFindings, seriousFindingsInThemes } from '../../support/axe.ts';
import { describeInBrowser, logIn, openTab, scrollsSideways } from '../../support/browser.ts';
import { fillScreens } from '../../support/fill-screens.ts';
import { observeShifts, shiftsOf, watchRequests } from '../../support/layout-shifts.ts';
import { openReviews, type Reviews } from '../../support/reviews.ts';

/** Of the Core Web Vitals, 0.1 is "good". */
const maxShift = 0.05;

describeInBrowser('every screen of the portal', () => {
  let on: Reviews;
  let screens: readonly string[];
  before(async () => {
    on = await openReviews();
    screens = await fillScreens(on);
  });
  after(async () => {
    await on.close();
  });

  // What lies between has the layout of one of them. SCREEN_WIDTHS=1280,768,390 walks through more.
  const widths = (process.env.SCREEN_WIDTHS ?? '1280,390').split(',').map(Number);
  const widest = Math.max(...widths);
  it(`stays where it is while it loads, and is accessible in both themes, at ${widths.join(', ')} px`, async () => {
    const walk = async (width: number): Promise<string[]> => {
      const tab = await openTab({ width, expected: [404, 409] });
      const { page } = tab;
      await logIn(tab, on.api.url, on.api, '/account');
      await observeShifts(tab);
      const requests = watchRequests(tab);
      const found: string[] = [];
      for (const path of screens) {
        await page.goto(`${on.api.url}/portal${path}`);
        await page.locator('#main h1, #main h2').first().waitFor();
        await requests.untilIdle();
        const { sum, shifts } = await shiftsOf(page);
        if (sum >= maxShift) {
          found.push(`${path}: moves by ${sum.toFixed(3)}: ${JSON.stringify(shifts)}`);
        }
        if (await scrollsSideways(page)) found.push(`${path}: scrolls sideways`);
        // Colours depend on the theme, not on the width.
        const findings = await (width === widest
          ? seriousFindingsInThemes(page)
          : seriousFindings(page));
        found.push(...findings.map((one) => `${path}: ${one}`));
      }
      found.push(...tab.faults);
      await tab.close();
      return found.map((one) => `${width} px: ${one}`);
    };
    const found = await Promise.all(widths.map(walk));
    expect(found.flat().join('\n')).to.equal('');
  });
});
