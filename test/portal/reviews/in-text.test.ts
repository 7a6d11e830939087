import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  logIn,
  openTab,
  scrollsSideways,
  type Tab,
} from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { openReviews, type Reviews } from '../../support/reviews.ts';

describeInBrowser('the portal’s reviews of text', () => {
  let on: Reviews;
  let tab: Tab;
  let page: Page;
  before(async () => {
    on = await openReviews();
    tab = await openTab({ expected: [409, 412, 422] });
    ({ page } = tab);
    await logIn(tab, on.api.url, on.api, '/reviews');
  });
  afterEach(() => expect(tab.faults).to.deep.equal([]));
  after(async () => {
    await on.close();
  });

  const openBench = async (text: string, name: string): Promise<ReviewRecord> => {
    const review = await on.awaitReview(await on.upload(text, name), { style: 'label' });
    await page.goto(`${on.api.url}/portal/reviews/${review.id}`);
    await page.getByText(/^\d+ findings$/).waitFor();
    await marks().first().waitFor();
    return review;
  };
  const marks = () => page.locator('.text-mark');
  const mark = (text: string) => marks().filter({ hasText: text });
  const list = () => page.getByRole('listbox', { name: 'Findings' });
  const row = (text: string) => list().getByRole('option').filter({ hasText: text });
  const button = (name: string) => page.getByRole('button', { name });
  const counts = (id: string, wanted: Partial<ReviewRecord['counts']>) =>
    eventually(async () => {
      const now = (await on.get(id)).counts;
      return Object.entries(wanted).every(([name, n]) => now[name as keyof typeof now] === n);
    });
  /** Selects a text as a pointer does. */
  const select = (text: string): Promise<unknown> =>
    page.evaluate(`{
      const wanted = ${JSON.stringify(text)};
      const walker = document.createTreeWalker(document.querySelector('.bench-text'), 4);
      let node = walker.nextNode();
      while (!node.textContent.includes(wanted)) node = walker.nextNode();
      const at = node.textContent.indexOf(wanted);
      getSelection().setBaseAndExtent(node, at, node, at + wanted.length);
    }`);

  it('decides by keys about what is marked in the text, and adds a selection', async () => {
    const review = await openBench(
      'Dear Mara Kleinhoevel,\nwrite to mara@example.org.\nThe Bluebird folder is in pier 4.\n',
      'letter.txt',
    );
    const total = review.counts.pending;
    expect(await marks().count()).to.equal(total);
    await page.getByLabel('Order').selectOption('page');
    await list().focus();
    await page.keyboard.press('j');
    await page.locator('.text-mark.current').waitFor();
    await page.keyboard.press('a');
    await page.locator('.text-mark.accepted').waitFor();
    await mark('mara@example.org').click();
    await page.locator('.bench-row.current').filter({ hasText: 'mara@example.org' }).waitFor();
    await page.keyboard.press('r');
    await page.locator('.text-mark.rejected').waitFor();
    await counts(review.id, { accepted: 1, rejected: 1 });
    await page.keyboard.press('u');
    await counts(review.id, { rejected: 0 });
    await row('mara@example.org').hover();
    await page.locator('.text-mark.hovered').waitFor();
    await select('Bluebird');
    await button('Redact selection').click();
    await mark('Bluebird').waitFor();
    await counts(review.id, { added: 1 });
    await page.keyboard.press('u');
    await mark('Bluebird').waitFor({ state: 'detached' });
    await counts(review.id, { added: 0 });
    await page.keyboard.press('w');
    await page.keyboard.press('ArrowRight');
    await page.locator('.chosen').first().waitFor();
    await page.keyboard.press('Enter');
    await mark('Dear').waitFor();
    await counts(review.id, { added: 1 });
  });

  it('shows a table as a grid, and redacts a text everywhere', async () => {
    const rows = Array.from({ length: 3 }, (_, at) => `Mara Kleinhoevel,Bluebird ${at},"a, b"`);
    const review = await openBench(`Name,Project,Note\n${rows.join('\n')}\n`, 'people.csv');
    await page.locator('.text-line.table .text-cell').filter({ hasText: 'a, b' }).first().waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Text').fill('bluebird');
    await page.getByRole('dialog').getByRole('button', { name: 'Redact everywhere' }).click();
    await page.getByText(/^3 places/).waitFor();
    await page.getByText('Close', { exact: true }).click();
    await counts(review.id, { added: 3 });
    await row('Bluebird').first().click();
    await page.getByText('cell B2').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
  });

  it('draws only what is in sight of a long text, and goes to a finding at its end', async () => {
    const filler = Array.from({ length: 20_000 }, (_, at) => `${at},harbour,quay,crane`).join('\n');
    await openBench(
      `No,A,B,C\n0,mara@example.org,x,y\n${filler}\n1,otto@example.org,x,y\n`,
      'long.csv',
    );
    expect(await page.locator('.text-block').count()).to.be.lessThan(20);
    await row('otto@example.org').click();
    await mark('otto@example.org').waitFor();
    await eventually(async () =>
      mark('otto@example.org').evaluate((element) => {
        const own = element.getBoundingClientRect();
        const frame = element.closest('.bench-text')!.getBoundingClientRect();
        return own.top >= frame.top && own.bottom <= frame.bottom;
      }),
    );
    expect(await page.locator('.text-block').count()).to.be.lessThan(20);
    await page.keyboard.press('k');
    await page.locator('.text-mark.current').filter({ hasText: 'mara@example.org' }).waitFor();
  });

  it('works on a narrow screen and in the dark', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await openBench('Dear Mara Kleinhoevel,\nשלום דנה\nmail mara@example.org\n', 'narrow.txt');
    expect(await scrollsSideways(page)).to.equal(false);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
  });
});
