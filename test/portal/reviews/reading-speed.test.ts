import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { openReviews, type Reviews } from '../../support/reviews.ts';
import { bornDigitalPdf, textOf } from '../../support/samples.ts';

/**
 * What a keystroke of a person takes in the keystroke-level model of Card, Moran and Newell, in
 * seconds: 1.35 to decide and 0.28 to press a key.
 */
const secondsPerKeystroke = 1.63;

const lines = 24;

/** Pages that are full of e-mail addresses, each of which returns after `distinct` others. */
function manyAddresses(pages: number, distinct: number): string[][] {
  const address = (at: number): string => `p${100 + (at % distinct)}@example.org`;
  return Array.from({ length: pages }, (_, page) =>
    Array.from({ length: lines }, (_line, line) => {
      const first = (page * lines + line) * 2;
      return `Write to ${address(first)} or ${address(first + 1)} today.`;
    }),
  );
}

describeInBrowser('the portal’s reviews at reading speed', () => {
  let on: Reviews;
  let tab: Tab;
  let page: Page;
  let keystrokes = 0;
  before(async () => {
    on = await openReviews();
    on.workers.start('imaging');
    tab = await openTab();
    ({ page } = tab);
    await logIn(tab, on.api.url, on.api, '/reviews');
  });
  afterEach(() => expect(tab.faults).to.deep.equal([]));
  after(async () => {
    await on.close();
  });

  const openReview = async (pages: string[][], name: string): Promise<ReviewRecord> => {
    const review = await on.awaitReview(await on.upload(await bornDigitalPdf(pages), name));
    await page.goto(`${on.api.url}/portal/reviews/${review.id}`);
    await page.getByText(/^[\d,]+ findings$/).waitFor();
    return review;
  };
  const press = async (key: string): Promise<void> => {
    keystrokes += 1;
    await page.keyboard.press(key);
  };
  const currentRow = () => page.locator('.bench-row.current');
  const value = () => page.locator('.bench-head strong');
  const numberIn = async (text: RegExp): Promise<number> =>
    Number((await page.getByText(text).innerText()).replace(/\D/g, ''));
  const counts = (id: string, wanted: ReviewRecord['counts']) =>
    eventually(async () => JSON.stringify((await on.get(id)).counts) === JSON.stringify(wanted));

  it('are decided value by value with about one key each, submitted and flipped by key', async () => {
    const review = await openReview(manyAddresses(21, 252), 'many.pdf');
    const total = review.counts.pending;
    expect(total).to.be.greaterThan(1_000);
    const values = await numberIn(/^[\d,]+ values$/);
    expect(values).to.be.within(252, 300);

    keystrokes = 0;
    await press('j');
    let rejected = 0;
    for (let decided = 0; decided < values; decided += 1) {
      const text = await value().innerText();
      const isRejected = text.startsWith('p101@');
      if (isRejected) rejected += 1;
      await press(isRejected ? 'r' : 'a');
      if (decided < values - 1) {
        await page.locator('.bench-head strong', { hasNotText: text }).waitFor();
      }
    }
    expect(rejected).to.equal(1);
    expect(await page.locator('.bench-row.pending').count()).to.equal(0);
    // Decisions that are being saved do not keep the dialog from opening.
    await press('s');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('will be removed from the file').waitFor();
    await press('Enter');
    await page.getByText('These decisions apply to the job').waitFor();
    expect(keystrokes / values).to.be.at.most(1.2);
    expect(keystrokes * secondsPerKeystroke).to.be.lessThan(600);

    await counts(review.id, { pending: 0, accepted: total - 4, rejected: 4, added: 0 });
    await page.getByText(/Precision 99%/).waitFor();
    const job = await on.untilFinished(review.job_id);
    expect(job.state, JSON.stringify(job.error)).to.equal('succeeded');
    const output = job.outputs[0]!.object_id;
    const text = (await textOf((await on.content(output)).bytes)).join('\n');
    expect(text.match(/p101@example\.org/g)).to.have.length(4);
    expect(text).to.not.include('p102@example.org');

    // The result in place of the original, at the same position.
    await page.getByRole('button', { name: 'Show result' }).waitFor();
    const scrollTop = () => page.locator('.bench-frame').evaluate((frame) => frame.scrollTop);
    const before = await scrollTop();
    const shown = page.waitForResponse((answer) => answer.url().includes(`${output}/pages/`));
    await press('o');
    await shown;
    await page.locator('.bench-frame.result .bench-sheet img').first().waitFor();
    expect(await page.locator('.bench-marks').count()).to.equal(0);
    expect(await scrollTop()).to.equal(before);
    await press('o');
    await page.locator('.bench-frame.original .bench-marks').first().waitFor();
  });

  it('start with the least certain, and show all places of a value', async () => {
    const review = await openReview(
      [
        ['Dear Mara Kleinhoevel,', 'write to mara@example.org.'],
        ['Write to MARA@example.org or mara@example.org.'],
      ],
      'places.pdf',
    );
    const scores = await page.locator('.bench-type').allInnerTexts();
    const percents = scores.map((text) => Number(/(\d+)%/.exec(text)?.[1]));
    expect(percents).to.deep.equal(percents.toSorted((a, b) => a - b));
    const mails = page.locator('.bench-row').filter({ hasText: 'mara@example.org' });
    expect(await mails.count()).to.equal(1);
    await mails.getByText('3 places').waitFor();
    await mails.getByText('2 pages').waitFor();
    await mails.click();
    await page.getByText('Place 1 of 3, on 2 pages').waitFor();
    // One place differs from the others.
    await press('Shift+R');
    await page.getByText('Place 2 of 3, on 2 pages').waitFor();
    await press('l');
    await page.getByText('Place 3 of 3, on 2 pages').waitFor();
    await press('h');
    await page.getByText('Place 2 of 3, on 2 pages').waitFor();
    await press('a');
    await page.locator('.bench-row.mixed').waitFor();
    await eventually(async () => {
      const { accepted, rejected } = (await on.get(review.id)).counts;
      return accepted === 2 && rejected === 1;
    });
    await page.getByText(/Precision 66%/).waitFor();
    await press('u');
    await eventually(async () => (await on.get(review.id)).counts.accepted === 0);
    await press('u');
    await counts(review.id, review.counts);
    await mails.click();
    await press('a');
    await currentRow().filter({ hasNotText: 'mara@example.org' }).waitFor();
    await press('o');
    await page.locator('.bench-frame.preview .bench-mark.accepted').first().waitFor();
    expect(await page.locator('.bench-mark.pending').count()).to.equal(0);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await press('o');
    await page.locator('.bench-mark.pending').first().waitFor();
  });

  it('show the page of the next value without loading it, in the frame after the key', async () => {
    const filler = Array.from({ length: 10 }, () => ['Nothing here.']);
    const pages = [['Write to anna@example.org.'], ...filler, ['Or to otto@example.org.']];
    await openReview(pages, 'far.pdf');
    const picture = (number: number) => page.locator(`[data-page="${number}"] img`);
    const preloaded = page.waitForResponse(
      (answer) => answer.url().includes('/pages/12/image') && answer.ok(),
    );
    await page.getByLabel('Order').selectOption('page');
    await page.getByRole('button', { name: 'Next finding' }).click();
    await picture(1).waitFor();
    await (await preloaded).finished();
    // No other picture is loaded from here on.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/image?*', async (route) => {
      await released;
      await route.continue();
    });
    await press('a');
    await picture(12).waitFor();
    expect(await value().innerText()).to.equal('otto@example.org');
    await page.evaluate(`window.nextFrame = new Promise((resolve) => {
      addEventListener('keydown', () => requestAnimationFrame(() => {
        const frame = document.querySelector('.bench-frame');
        const sheet = frame.querySelector('[data-page="1"]');
        const bottom = sheet?.getBoundingClientRect().bottom ?? -Infinity;
        const isInSight = bottom > frame.getBoundingClientRect().top;
        resolve(isInSight && sheet.querySelector('img') !== null);
      }));
    }), undefined`);
    await press('k');
    expect(await page.evaluate('window.nextFrame')).to.equal(true);
    release();
    await page.unrouteAll({ behavior: 'wait' });
  });
});
