import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  describeInBrowser,
  logIn,
  openTab,
  rowOf,
  setFilter,
  type Tab,
} from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { openRedactions, type Redactions } from '../../support/redactions.ts';
import { bornDigitalPdf } from '../../support/samples.ts';

const hostile = '<img src=x onerror=reportPolicy("ran")>\u202Egpj.pdf';

/** Holds back the outputs of redactions until the returned function is called. */
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

/** Waits until a button is shown as pressed or not. */
async function pressed(button: Locator, wanted: boolean): Promise<void> {
  const isSo = async () => (await button.getAttribute('aria-pressed')) === String(wanted);
  await eventually(isSo);
}

describeInBrowser('the portal’s jobs', () => {
  let on: Redactions;
  let tab: Tab;
  let page: Page;
  let objectId: string;
  before(async () => {
    on = await openRedactions();
    const pages = ['one', 'two', 'three', 'four'].map((word) => [
      `Dear Mr Quill${word} this is page ${word}`,
      '<img src=x onerror=reportPolicy("ran")>',
    ]);
    objectId = await on.upload(await bornDigitalPdf(pages), hostile);
    tab = await openTab({ expected: [404, 422] });
    ({ page } = tab);
    await logIn(tab, on.api.url, on.api, '/jobs');
  });
  afterEach(() => {
    on.redactor.reset();
    expect(tab.faults).to.deep.equal([]);
  });
  after(async () => {
    await on.close();
  });

  /** The head of a job's page: its file, then its state. */
  const titled = (state: string) =>
    page.getByRole('heading', { level: 1, name: new RegExp(`\\.\\w+\\W* ${state}$`) });
  const open = (path: string) => page.goto(`${on.api.url}/portal${path}`);
  const start = async (operations: object[], source = objectId): Promise<JobRecord> => {
    const answer = await on.api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: source, operations },
    });
    expect(answer.status, answer.text).to.equal(202);
    return answer.json;
  };

  it('starts a job, follows it live with a failing page, and retries that page', async () => {
    on.redactor.faults.unsearchablePages = [3];
    const release = holdOutputs(on);
    await open('/jobs/new');
    await page.getByLabel('Find an object').fill('gpj');
    await page.getByRole('button', { name: 'onerror' }).click();
    await page
      .locator('.jobs-source')
      .getByText(/^PDF · /)
      .waitFor();
    await page.getByRole('checkbox', { name: 'Redact personal data' }).check();
    await page.getByText('The service adds an').waitFor();
    await page.getByLabel('Pages', { exact: true }).fill('4-1');
    await page.getByText('The range 4-1 is reversed. Use 1-4.').waitFor();
    await page.getByLabel('Pages', { exact: true }).fill('1-4');
    await page.getByRole('button', { name: 'API' }).click();
    await page.getByText('"redact_pii"').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Start job' }).click();

    // From here on the page updates itself, without reloading.
    const cell = (number: number, op: string, state: string) =>
      page.getByRole('gridcell', { name: `Page ${number}, ${op}: ${state}` });
    await cell(3, 'Redact personal data', 'failed').waitFor();
    await cell(2, 'Redact personal data', 'succeeded').waitFor();
    await page.getByText('The page cannot be searched.').first().waitFor();
    await page.getByText('All pages done, creating outputs').waitFor();
    release();
    await titled('partially succeeded').waitFor();
    await page.getByText('Not verified').waitFor();

    on.redactor.reset();
    const failedUrl = page.url();
    // The error is permanent, so the retry is possible but not advised.
    await page.getByText('A retry will fail again unless the cause is removed.').waitFor();
    const retry = page.getByRole('button', { name: 'Retry failed pages' });
    expect(await retry.getAttribute('class')).not.to.contain('primary');
    await retry.click();
    await page.getByText('Retry of').waitFor();
    expect(page.url()).not.to.equal(failedUrl);
    await titled('succeeded').waitFor();
    await page.getByText('Verified: an independent check').waitFor();
    await cell(3, 'Redact personal data', 'succeeded').waitFor();
  });

  it('advises a retry only if the error is temporary', async () => {
    on.redactor.faults.unsearchablePages = [3];
    const job = await on.run(objectId, [{ op: 'redact_pii' }]);
    await on.api.rows(
      `UPDATE job SET error = jsonb_set(error, '{retryable}', 'true') WHERE id = $1`,
      [job.id],
    );
    await open(`/jobs/${job.id}`);
    const retry = page.getByRole('button', { name: 'Retry failed pages' });
    expect(await retry.getAttribute('class')).to.contain('primary');
    expect(await page.getByText('A retry will fail again').count()).to.equal(0);
  });

  it('lists jobs with filters in the address, and cancels a running job', async () => {
    const release = holdOutputs(on);
    const running = await start([{ op: 'redact_pii' }]);
    await open('/jobs');
    const row = rowOf(page, running.id);
    await row.getByText('running').waitFor();
    await setFilter(page, 'Operation', { choose: 'Classify' });
    await page.getByText('No matching jobs').waitFor();
    expect(page.url()).to.contain('op=classify');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await setFilter(page, 'Source object', { fill: 'obj_1' });
    await page.getByText('obj_ followed by 26 characters').waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('Cancellation requested.').waitFor();
    release();
    await titled('cancelled').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
    await row.getByText('cancelled').waitFor();
    // A new job appears and finishes without a reload.
    const next = await start([{ op: 'classify' }]);
    const other = rowOf(page, next.id);
    await other.getByText('succeeded').waitFor();
  });

  it('tells the end of a job that one has left, in the page and by the browser', async () => {
    const release = holdOutputs(on);
    const away = await openTab();
    await away.context.grantPermissions(['notifications']);
    await away.onEachPage(`
      window.told = [];
      window.Notification = class {
        static permission = 'granted';
        constructor(title, { body }) { window.told.push(body); }
      };
      document.hasFocus = () => false;
    `);
    const { page } = away;
    const source = await on.upload('Dear Mr Quill', 'away.txt');
    await logIn(away, on.api.url, on.api, `/jobs/new?object=${source}&op=redact_pii`);
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.getByRole('button', { name: 'Cancel job' }).waitFor();
    // A reload forgets nothing.
    await page.goto(`${on.api.url}/portal/account`);
    await page.getByText('Browser notifications are on.').waitFor();
    release();
    const notice = page.locator('.toasts').getByText('Job of away.txt succeeded.');
    await notice.waitFor();
    expect(await page.evaluate('window.told')).to.deep.equal(['Job of away.txt succeeded.']);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.locator('.toasts').getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: 'away.txt succeeded' }).waitFor();
    await notice.waitFor({ state: 'detached' });
    // Its end is told once.
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'away.txt succeeded' }).waitFor();
    expect(await notice.count()).to.equal(0);
    expect(away.faults).to.deep.equal([]);
    await away.close();
  });

  it('shows the state of a job and its duration at 320 px', async () => {
    const job = await on.run(objectId, [{ op: 'classify' }]);
    const narrow = await openTab({ width: 320 });
    await logIn(narrow, on.api.url, on.api, '/jobs');
    const row = rowOf(narrow.page, job.id);
    const state = await row.getByText('succeeded').boundingBox();
    expect(state!.x + state!.width).to.be.at.most(320);
    await row.getByText(/^in \d+ s$/).waitFor();
    expect(narrow.faults).to.deep.equal([]);
    await narrow.close();
  });

  it('shows the state of finished jobs at 390 px, without a progress bar', async () => {
    const job = await on.run(objectId, [{ op: 'classify' }]);
    const narrow = await openTab({ width: 390 });
    await logIn(narrow, on.api.url, on.api, '/jobs');
    const row = rowOf(narrow.page, job.id);
    for (const part of [row.getByText('succeeded'), row.getByText(/^in \d+ s$/)]) {
      await eventually(async () => {
        const { x, width } = (await part.boundingBox())!;
        return x >= 0 && x + width <= 390;
      }, 15_000);
    }
    expect(await row.getByRole('progressbar').count()).to.equal(0);
    expect(narrow.faults).to.deep.equal([]);
    await narrow.close();
  });

  it('says that a file cannot be opened, and offers no retry of it', async () => {
    const whole = await bornDigitalPdf([['Cut short']]);
    const broken = await on.upload(whole.subarray(0, 200), 'broken.pdf');
    const job = await on.run(broken, [{ op: 'classify' }]);
    expect(job.state).to.equal('failed');
    await open(`/jobs/${job.id}`);
    await titled('failed').waitFor();
    await page.getByRole('heading', { name: 'This file cannot be processed' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Outputs' }).count()).to.equal(0);
    expect(await page.getByText('Pages appear here').count()).to.equal(0);
    expect(await page.getByRole('button', { name: /^Retry/ }).count()).to.equal(0);
  });

  it('navigates the matrix by keyboard, describes each cell and opens a page', async () => {
    const job = await on.run(objectId, [{ op: 'redact_pii' }]);
    await open(`/jobs/${job.id}`);
    await page.getByRole('gridcell', { name: 'Page 1, Recognise text: skipped' }).focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await page.locator('.jobs-told').getByText('Page 3').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Page 3 of 4' }).waitFor();
  });

  it('renders only the visible cells of 2,000 pages in two operations', async () => {
    const job = await on.run(objectId, [{ op: 'classify' }]);
    await on.api.rows(
      `INSERT INTO job_page (project_id, job_id, operation_index, page, state)
       SELECT project_id, job_id, operation_index, n, 'succeeded'
       FROM job_page, generate_series(5, 2000) AS n WHERE job_id = $1 AND page = 1`,
      [job.id],
    );
    await open(`/jobs/${job.id}`);
    await page.getByText('2,000 pages × 2 operations').waitFor();
    await page.getByRole('gridcell', { name: 'Page 1, classify: succeeded' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('gridcell', { name: 'Page 2000, classify: succeeded' }).waitFor();
    expect(await page.getByRole('gridcell').count()).to.be.lessThan(1_500);
  });

  it('starts a batch, with errors at their fields and an outcome per object', async () => {
    const second = await on.upload('Dear Mr Quill', 'second.txt');
    await open(`/jobs/new?object=${objectId}&object=${second}`);
    await page.getByText('second.txt').waitFor();
    await page.getByRole('checkbox', { name: 'Redact personal data' }).check();
    await page.getByLabel('Profile').selectOption('Selected kinds');
    await page.getByRole('button', { name: 'Clear: National identifiers' }).click();
    await page.getByText('National identifiers: 0 of').waitFor();
    await page.getByRole('button', { name: 'Add pattern' }).click();
    await page.getByLabel('Name of pattern 1').fill('CASE_NUMBER');
    await page.getByLabel('Regular expression of pattern 1').fill('(?=x)');
    await page.getByRole('button', { name: 'Start 2 jobs' }).click();
    await page.locator('.field .fault').first().waitFor();
    await page.getByLabel('Regular expression of pattern 1').fill('K-[0-9]+');
    await page.getByRole('button', { name: 'Start 2 jobs' }).click();
    await page.getByText('2 of 2 jobs started').waitFor();
    // The list asks for the names of all its documents at once.
    const named = page.waitForRequest(/\/v1\/objects\?id=/);
    await open('/jobs');
    await page.getByRole('link', { name: 'second.txt' }).waitFor();
    const { searchParams } = new URL((await named).url());
    expect(searchParams.get('id')?.split(',')).to.include.members([objectId, second]);
  });

  it('starts the job of a preset on files that are dropped, and saves, uses and deletes presets', async () => {
    await page.goto(`${on.api.url}/portal/jobs/new`);
    const ready = page.getByRole('button', { name: /^Ready for a model/ });
    await ready.click();
    await pressed(ready, true);
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['# Minutes'], 'minutes.md'));
      return transfer;
    })()`);
    await page.locator('.upload-target').dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await page.getByRole('button', { name: 'Remove minutes.md' }).waitFor();
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.waitForURL(/\/jobs\/job_/);
    const { data: jobs } = (await on.api.call('GET', '/v1/documents/jobs?limit=1')).json;
    const operations: JobRecord['operations'] = jobs[0].operations;
    expect(operations.map(({ op }) => op)).to.deep.equal(['normalize_for_llm']);

    await page.goto(`${on.api.url}/portal/jobs/new?op=classify`);
    await page.getByRole('button', { name: 'Save as preset' }).click();
    await page.getByLabel('Name').fill('Incoming mail');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const own = page.getByRole('button', { name: /^Incoming mail/ });
    await own.waitFor();
    await pressed(own, true);
    await ready.click();
    await pressed(own, false);
    await own.click();
    await pressed(own, true);
    await page.getByRole('button', { name: 'Delete the preset Incoming mail' }).click();
    await page.getByRole('button', { name: 'Delete preset', exact: true }).click();
    await own.waitFor({ state: 'detached' });
  });

  it('runs a preset as saved where its patterns cannot be read', async () => {
    const secret = { name: 'CASE', pattern: 'Nightjar \\d+' };
    const operations = [{ op: 'redact_pii', options: { custom_patterns: [secret] } }];
    const made = await on.api.call('POST', '/v1/documents/presets', {
      body: { name: 'Nightjar', operations },
    });
    const scopes = ['documents:read', 'documents:write', 'objects:read'];
    const key = await on.api.call('POST', '/v1/keys', { body: { name: 'Narrow', scopes } });
    const narrow = await openTab();
    const tenant = { projectId: on.api.projectId, key: key.json.api_key, keyId: key.json.id };
    await logIn(narrow, on.api.url, tenant, `/jobs/new?object=${objectId}`);
    await narrow.page.getByRole('button', { name: /^Nightjar/ }).click();
    await narrow.page.getByText('It runs as saved.').waitFor();
    const sent = narrow.page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/documents/jobs'),
    );
    await narrow.page.getByRole('button', { name: 'Start job' }).click();
    expect((await sent).postDataJSON()).to.deep.equal({
      source_object_id: objectId,
      preset_id: made.json.id,
    });
    await narrow.page.waitForURL(/\/jobs\/job_/);
    expect(narrow.faults).to.deep.equal([]);
  });

  it('offers originals as sources before what jobs made of them', async () => {
    await on.run(objectId, [{ op: 'redact_pii' }]);
    await open('/jobs/new');
    const found = page.getByRole('list', { name: 'Objects found' });
    await found.getByRole('button', { name: 'onerror' }).waitFor();
    expect(await found.getByRole('button', { name: /redacted/i }).count()).to.equal(0);
    await page.getByLabel('Find an object').fill('onerror');
    await found
      .getByRole('button', { name: /redacted/i })
      .first()
      .waitFor();
    const names = await found.getByRole('button').allTextContents();
    expect(names[0]).not.to.match(/redacted/i);
  });

  it('explains what a policy denies, and how to comply', async () => {
    const policyId = await addPolicy(on.api, {
      actions: ['process'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    const source = await on.upload('Dear Mr Quill', 'unknown.txt');
    const refusing = await openTab({ expected: [403] });
    const { page } = refusing;
    await logIn(refusing, on.api.url, on.api, `/jobs/new?object=${source}`);
    await page.getByRole('checkbox', { name: 'Redact personal data' }).check();
    await page.getByRole('button', { name: 'Start job' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('Denied by a policy').waitFor();
    await refusal.locator(`a[href$="${policyId}"]`).waitFor();
    await refusal.getByText('The maximum file size is 1 byte.').waitFor();
    await refusal.getByText('Choose another object').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    expect(refusing.faults).to.deep.equal([]);
    await refusing.close();
    await on.api.call('DELETE', `${policiesPath}/${policyId}`, { headers: { 'if-match': '*' } });
  });

  it('starts the job given in a link, with metadata', async () => {
    const source = await on.upload('Dear Mr Quill', 'asked.txt');
    await open(`/jobs/new?object=${source}&op=classify`);
    await page.getByRole('checkbox', { name: /^Classify/, checked: true }).waitFor();
    await page.getByRole('button', { name: 'Add entry' }).click();
    await page.getByLabel('Name of entry 1').fill('case');
    await page.getByLabel('Value of case').fill('12');
    await page.getByRole('button', { name: 'Start job' }).click();
    await titled('succeeded').waitFor();
    const { data } = (await on.api.call('GET', '/v1/documents/jobs?limit=1')).json;
    expect(data[0]).to.deep.include({ source_object_id: source, metadata: { case: 12 } });
  });

  it('offers no changes to a read-only key', async () => {
    const reader = await on.api.issue(['documents:read']);
    const job = await on.run(objectId, [{ op: 'classify' }]);
    const other = await openTab({ expected: [404] });
    const { page } = other;
    await logIn(other, on.api.url, reader, `/jobs/${job.id}`);
    // Without the name of the file, which this key cannot read.
    await page.getByRole('heading', { name: 'Job succeeded' }).waitFor();
    expect(await page.getByRole('button', { name: /Retry|Cancel/ }).count()).to.equal(0);
    await page.goto(`${on.api.url}/portal/jobs`);
    await rowOf(page, job.id).waitFor();
    expect(await page.getByRole('link', { name: 'Start job' }).count()).to.equal(0);
    await page.goto(`${on.api.url}/portal/jobs/job_01m7gtek0sx6hv4x5fqk2v9d3e`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Jobs').click();
    await rowOf(page, job.id).waitFor();
    expect(other.faults).to.deep.equal([]);
    await other.close();
  });
});
