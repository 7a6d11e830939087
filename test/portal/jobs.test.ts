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

/** Keeps redactions from making their outputs until it is let go. */
function holdOutputs({ workers }: Redactions): () => void {
  const { engines } = workers.deps;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  workers.deps.engines = {
    ...engines,
    redactPages: async (request, how) => {
      await released;
      return engines.redactPages(request, how);
    },
  };
  return () => {
    workers.deps.engines = engines;
    release();
  };
}

describeInBrowser('the portal’s jobs', () => {
  let on: Redactions;
  let browser: Browser;
  let objectId: string;
  let shown: JobRecord | undefined;
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
    const release = holdOutputs(on);
    const tab = await openTab(browser);
    const { page } = tab;
    await open(tab, '/jobs/new');
    await page.getByLabel('Find an object').fill('gpj');
    await page.getByRole('button', { name: 'onerror' }).click();
    await page.getByText('application/pdf').waitFor();
    await page.getByRole('checkbox', { name: 'Redact personal data' }).check();
    await page.getByText('PDFs and pictures are read first').waitFor();
    await page.getByLabel('Pages', { exact: true }).fill('4-1');
    await page.getByText('4-1 runs backwards: write 1-4.').waitFor();
    await page.getByLabel('Pages', { exact: true }).fill('1-4');
    await page.getByRole('button', { name: 'API' }).click();
    await page.getByText('"redact_pii"').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Start the job' }).click();

    // It is watched from here on: nothing is loaded anew.
    const cell = (number: number, op: string, state: string) =>
      page.getByRole('gridcell', { name: `Page ${number}, ${op}: ${state}` });
    await cell(3, 'redact_pii', 'failed').waitFor();
    await cell(2, 'redact_pii', 'succeeded').waitFor();
    await page.getByText('The page cannot be searched.').first().waitFor();
    await page.getByText('All pages done, outputs are being made').waitFor();
    release();
    await page.getByRole('heading', { name: 'Job partially succeeded' }).waitFor();
    await page.getByText('Not verified').waitFor();

    on.redactor.reset();
    const failedUrl = page.url();
    await page.getByRole('button', { name: 'Retry failed pages' }).click();
    await page.getByText('It is a retry of').waitFor();
    expect(page.url()).not.to.equal(failedUrl);
    await page.getByRole('heading', { name: 'Job succeeded' }).waitFor();
    await page.getByText('Verified: what was found is gone').waitFor();
    await cell(3, 'redact_pii', 'succeeded').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('lists jobs with their filters in the address, and cancels one that runs', async () => {
    const release = holdOutputs(on);
    const running = await start([{ op: 'redact_pii' }]);
    const tab = await openTab(browser);
    const { page } = tab;
    await open(tab, '/jobs');
    const row = page.getByRole('row').filter({ hasText: running.id });
    await row.getByText('running').waitFor();
    await page.getByLabel('Operation').selectOption('classify');
    await page.getByText('No job is like this').waitFor();
    expect(page.url()).to.contain('op=classify');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Source object').fill('obj_1');
    await page.getByText('obj_ and 26 characters').waitFor();
    await page.getByLabel('Source object').fill('');
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText('The job was asked to stop.').waitFor();
    release();
    await page.getByRole('heading', { name: 'Job cancelled' }).waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
    await row.getByText('cancelled').waitFor();
    // Another that comes and goes is seen without loading anything.
    const next = await start([{ op: 'classify' }]);
    const other = page.getByRole('row').filter({ hasText: next.id });
    await other.getByText('succeeded').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('goes over the matrix by keyboard to a page, and says what each cell is', async () => {
    const job = await on.run(objectId, [{ op: 'redact_pii' }]);
    const tab = await openTab(browser);
    const { page } = tab;
    await open(tab, `/jobs/${job.id}`);
    await page.getByRole('gridcell', { name: 'Page 1, ocr: skipped' }).focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await page.locator('.jobs-told').getByText('Page 3').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Page 3 of 4' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('draws 2,000 pages in two operations, only those in sight', async () => {
    const job = await on.run(objectId, [{ op: 'classify' }]);
    await on.api.rows(
      `INSERT INTO job_page (project_id, job_id, operation_index, page, state)
       SELECT project_id, job_id, operation_index, n, 'succeeded'
       FROM job_page, generate_series(5, 2000) AS n WHERE job_id = $1 AND page = 1`,
      [job.id],
    );
    const tab = await openTab(browser);
    const { page } = tab;
    await open(tab, `/jobs/${job.id}`);
    await page.getByText('2,000 pages × 2 operations').waitFor();
    await page.getByRole('gridcell', { name: 'Page 1, classify: succeeded' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('gridcell', { name: 'Page 2000, classify: succeeded' }).waitFor();
    expect(await page.getByRole('gridcell').count()).to.be.lessThan(1_500);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('starts a batch, and tells what became of each object and what is wrong at its field', async () => {
    const second = await on.upload('Dear Mr Quill', 'second.txt');
    const tab = await openTab(browser, { expected: [422] });
    const { page } = tab;
    await open(tab, `/jobs/new?object=${objectId}&object=${second}`);
    await page.getByText('second.txt').waitFor();
    await page.getByRole('checkbox', { name: 'Redact personal data' }).check();
    await page.getByRole('checkbox', { name: /^All kinds/ }).uncheck();
    await page.getByRole('button', { name: 'None of National numbers' }).click();
    await page.getByText('National numbers: 0 of').waitFor();
    await page.getByRole('button', { name: 'Add a pattern' }).click();
    await page.getByLabel('Name of pattern 1').fill('CASE_NUMBER');
    await page.getByLabel('Expression of pattern 1').fill('(?=x)');
    await page.getByRole('button', { name: 'Start 2 jobs' }).click();
    await page.locator('.field .fault').first().waitFor();
    await page.getByLabel('Expression of pattern 1').fill('K-[0-9]+');
    await page.getByRole('button', { name: 'Start 2 jobs' }).click();
    await page.getByText('2 of 2 jobs were started.').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('offers no change to a key that may only read, and says so where it cannot read', async () => {
    const reader = await on.api.issue(['documents:read']);
    const job = await on.run(objectId, [{ op: 'classify' }]);
    const tab = await openTab(browser, { expected: [404] });
    const { page } = tab;
    await logIn(tab, on.api.url, reader, `/jobs/${job.id}`);
    await page.getByRole('heading', { name: 'Job succeeded' }).waitFor();
    expect(await page.getByRole('button', { name: /Retry|Cancel/ }).count()).to.equal(0);
    await page.goto(`${on.api.url}/portal/jobs`);
    await page.getByRole('row').filter({ hasText: job.id }).waitFor();
    expect(await page.getByRole('link', { name: 'Start a job' }).count()).to.equal(0);
    await page.goto(`${on.api.url}/portal/jobs/job_01m7gtek0sx6hv4x5fqk2v9d3e`);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    for (const [width, zoom] of [
      [320, 1],
      [1280, 2],
    ] as const) {
      it(`is legible to all: ${theme}, ${width} px, zoom ${zoom}`, async () => {
        shown ??= await on.run(objectId, [{ op: 'redact_pii' }, { op: 'classify' }]);
        const job = shown;
        const tab = await openTab(browser, { theme, width, zoom });
        const { page } = tab;
        await open(tab, '/jobs');
        await page.getByRole('row').filter({ hasText: job.id }).waitFor();
        const inOrder = async (): Promise<void> => {
          expect(await seriousFindings(page)).to.deep.equal([]);
          expect(await scrollsSideways(page)).to.equal(false);
        };
        await inOrder();
        await page.goto(`${on.api.url}/portal/jobs/${job.id}`);
        await page.getByRole('gridcell').first().waitFor();
        await inOrder();
        await page.goto(`${on.api.url}/portal/jobs/new?object=${objectId}`);
        await page.getByRole('checkbox', { name: 'Redact personal data' }).check();
        await page.getByRole('checkbox', { name: /^All kinds/ }).uncheck();
        await inOrder();
        expect(tab.faults).to.deep.equal([]);
        await tab.close();
      });
    }
  }
});
