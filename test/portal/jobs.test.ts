import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { JobRecord } from '../../src/contracts/wire/jobs.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  scrollsSideways,
  seriousFindings,
  startBrowser,
  type Tab,
} from '../support/browser.ts';
import { openRedactions, type Redactions } from '../support/redactions.ts';
import { bornDigitalPdf } from '../support/samples.ts';

const hostile = '<img src=x onerror=reportPolicy("ran")>\u202Egpj.pdf';

describeInBrowser('the portal’s jobs', function () {
  this.timeout(90_000);
  let on: Redactions;
  let browser: Browser;
  let objectId: string;
  before(async () => {
    [on, browser] = await Promise.all([openRedactions(), startBrowser()]);
    const pages = ['one', 'two', 'three', 'four'].map((word) => [
      `Dear Mr Quill${word} this is page ${word}`,
      '<img src=x onerror=reportPolicy("ran")>',
    ]);
    objectId = await on.upload(await bornDigitalPdf(pages), hostile);
  });
  afterEach(() => on.redactor.reset());
  after(async () => {
    await browser.close();
    await on.close();
  });

  const open = async (tab: Tab, path: string): Promise<void> =>
    logIn(tab, on.api.url, on.api, path);
  const start = async (operations: object[], source = objectId): Promise<JobRecord> => {
    const answer = await on.api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: source, operations },
    });
    expect(answer.status, answer.text).to.equal(202);
    return answer.json;
  };

  it('starts a job, shows it live with a page that fails, and retries that page', async () => {
    on.redactor.faults.find = [3];
    on.redactor.faults.hold = true;
    const tab = await openTab(browser);
    const { page } = tab;
    await open(tab, '/jobs/new');
    await page.getByLabel('Find an object').fill('gpj');
    await page.getByRole('button', { name: 'onerror' }).click();
    await page.getByText('application/pdf').waitFor();
    await page.getByLabel('Redact personal data').check();
    await page.getByText('PDFs and pictures are read first').waitFor();
    await page.getByLabel('Pages', { exact: true }).fill('4-1');
    await page.getByText('4-1 runs backwards: write 1-4.').waitFor();
    await page.getByLabel('Pages', { exact: true }).fill('1-4');
    await page.getByRole('button', { name: 'API' }).click();
    await page.getByText('"redact_pii"').waitFor();
    await page.screenshot({ path: '/tmp/jobs7/start-api.png' });
    await page.keyboard.press('Escape');
    await page.screenshot({ path: '/tmp/jobs7/start.png', fullPage: true });
    await page.getByRole('button', { name: 'Start the job' }).click();

    // It is watched from here on: nothing is loaded anew.
    const cell = (number: number, op: string, state: string) =>
      page.getByRole('gridcell', { name: `Page ${number}, ${op}: ${state}` });
    await cell(3, 'redact_pii', 'failed').waitFor();
    await cell(2, 'redact_pii', 'succeeded').waitFor();
    await page.getByText('The page cannot be searched.').first().waitFor();
    await page.getByText('All pages done, outputs are being made').waitFor();
    await page.screenshot({ path: '/tmp/jobs7/live.png', fullPage: true });
    on.redactor.faults.hold = false;
    await page.getByRole('heading', { name: 'Job partially succeeded' }).waitFor();
    await page.getByText('Not verified').waitFor();
    await page.screenshot({ path: '/tmp/jobs7/partial.png', fullPage: true });

    on.redactor.reset();
    const failedUrl = page.url();
    await page.getByRole('button', { name: 'Retry failed pages' }).click();
    await page.getByText('It is a retry of').waitFor();
    expect(page.url()).not.to.equal(failedUrl);
    await page.getByRole('heading', { name: 'Job succeeded' }).waitFor();
    await page.getByText('Verified: what was found is gone').waitFor();
    await cell(3, 'redact_pii', 'succeeded').waitFor();
    await page.screenshot({ path: '/tmp/jobs7/retried.png', fullPage: true });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
