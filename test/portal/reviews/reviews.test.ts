import type { Scope } from '@scriptorium/contracts/scopes';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import {
  describeInBrowser,
  logIn,
  openTab,
  rowOf,
  scrollsSideways,
  type Tab,
} from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { openReviews, type Reviews } from '../../support/reviews.ts';
import { bornDigitalPdf, textOf } from '../../support/samples.ts';

/** What reviewers have, and nothing else. */
const reviewer: Scope[] = [
  'documents:read',
  'documents:review',
  'objects:read',
  'objects:download',
  'pii:read',
];

describeInBrowser('the portal’s reviews', () => {
  let on: Reviews;
  let tab: Tab;
  let page: Page;
  let letters = 0;
  before(async () => {
    on = await openReviews();
    on.workers.start('imaging');
    tab = await openTab({ expected: [409, 412, 422] });
    ({ page } = tab);
    await logIn(tab, on.api.url, on.api, '/reviews');
  });
  afterEach(() => expect(tab.faults).to.deep.equal([]));
  after(async () => {
    await on.close();
  });

  const open = (path: string) => page.goto(`${on.api.url}/portal${path}`);
  /** A redaction of a letter of three pages that waits for its review. */
  const letter = async (options: object = {}): Promise<ReviewRecord> => {
    letters += 1;
    const pages = [
      [
        'Dear Mara Kleinhoevel,',
        'write to mara@example.org or call +49 30 1234567.',
        `Letter ${letters}`,
      ],
      ['Project Bluebird meets on Monday.', 'Bring the Bluebird folder to otto@example.org.'],
      ['Yours sincerely,', 'Jonas Birkenfeld', 'jonas@example.org'],
    ];
    const source = await on.upload(await bornDigitalPdf(pages), `letter ${letters}.pdf`);
    return on.awaitReview(source, options);
  };
  const openBench = async (review: ReviewRecord): Promise<void> => {
    await open(`/reviews/${review.id}`);
    await page.getByText(/^\d+ findings$/).waitFor();
  };
  const list = () => page.getByRole('listbox', { name: 'Findings' });
  const row = (text: string) => list().getByRole('option').filter({ hasText: text });
  const current = () => page.getByRole('region', { name: 'Current finding' });
  const saved = async (id: string, counts: Partial<ReviewRecord['counts']>): Promise<void> => {
    await eventually(async () => {
      const now = (await on.get(id)).counts;
      return Object.entries(counts).every(
        ([name, count]) => now[name as keyof typeof now] === count,
      );
    });
  };
  const drawingArea = () => page.getByRole('img', { name: 'Drawing area of page 1' });
  const mark = (id: string) => page.locator(`.bench-mark[data-finding="${id}"]`);

  it('lists open reviews with their documents, and leads from the job to its review', async () => {
    const review = await letter();
    await open('/reviews');
    const line = rowOf(page, review.id);
    await line.getByText(`letter ${letters}.pdf`).waitFor();
    await line.getByText(`${review.counts.pending} pending`).waitFor();
    await page.getByRole('button', { name: 'State: Open' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submitted' }).click();
    await page.getByText('No matching reviews').waitFor();
    await open(`/jobs/${review.job_id}`);
    await page.getByText('awaiting review').first().waitFor();
    await page.getByText('Waiting for a review').waitFor();
    await page.getByRole('link', { name: 'Open the review' }).click();
    await page.getByRole('heading', { name: `letter ${letters}.pdf` }).waitFor();
  });

  it('starts a job with a review', async () => {
    const source = await on.upload(await bornDigitalPdf([['Dear Mr Quill']]), 'start.pdf');
    await open(`/jobs/new?object=${source}&op=redact_pii`);
    await page.getByLabel('Review', { exact: true }).selectOption('below');
    await page.getByLabel('Review below').fill('0.95');
    await page
      .getByLabel('Reviewers')
      .selectOption({ label: 'Four eyes: someone other than who starts the job' });
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.getByRole('heading', { name: 'start.pdf' }).waitFor();
    const { data } = (await on.api.call('GET', '/v1/documents/jobs?limit=1')).json;
    expect(data[0].operations.at(-1).options).to.deep.include({
      review: 'below',
      review_below: 0.95,
      reviewers: 'not_requester',
    });
  });

  it('decides by keyboard, undoes, and claims the review', async () => {
    const review = await letter();
    const findings = await on.findings(review.id);
    await openBench(review);
    await page.getByLabel('Order').selectOption('page');
    await page.getByRole('listbox').focus();
    await page.keyboard.press('j');
    await current().getByText('Mara Kleinhoevel').waitFor();
    await page.keyboard.press('a');
    await row('Mara Kleinhoevel').getByText('Accepted').waitFor({ state: 'attached' });
    await current().getByText('mara@example.org').waitFor();
    await page.keyboard.press('r');
    await saved(review.id, { accepted: 1, rejected: 1 });
    await page.getByText(/Claimed by you; the claim ends in \d+ minutes/).waitFor();
    await page.keyboard.press('u');
    await current().getByText('mara@example.org').waitFor();
    await saved(review.id, { accepted: 1, rejected: 0 });
    await page.keyboard.press('k');
    await current().getByText('Mara Kleinhoevel').waitFor();
    // The next pages with open decisions, one after the other.
    await page.keyboard.press('n');
    await current().getByText('otto@example.org').waitFor();
    expect(await page.getByRole('toolbar', { name: 'Pages' }).locator('.open').count()).to.equal(
      new Set(findings.map((one) => one.page)).size,
    );
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Previous finding').waitFor();
    await page.keyboard.press('Escape');
    const claimed = await on.get(review.id);
    expect(claimed.claimed_by?.id).to.equal(on.api.keyId);
  });

  it('corrects the type of a finding, which accepts it, and undoes that', async () => {
    const review = await letter();
    const [finding] = await on.findings(review.id, '&page=1&type=EMAIL_ADDRESS');
    const now = async () => {
      const all = await on.findings(review.id);
      const { type, decision } = all.find(({ id }) => id === finding!.id)!;
      return `${type} ${decision}`;
    };
    await openBench(review);
    await page.locator(`#row-${finding!.id}`).click();
    await page.getByLabel('Type of this finding').selectOption('PERSON');
    await page.locator(`#row-${finding!.id}.accepted`).waitFor();
    await eventually(async () => (await now()) === 'PERSON accepted');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await now()) === 'EMAIL_ADDRESS pending');
    await page.locator(`#row-${finding!.id}.pending`).waitFor();
    expect(await page.getByLabel('Type of this finding').inputValue()).to.equal('EMAIL_ADDRESS');
  });

  it('turns single-key shortcuts off, and remembers that', async () => {
    const review = await letter();
    await openBench(review);
    await page.getByRole('button', { name: 'Keys and colours' }).click();
    await page.getByRole('dialog').getByLabel('Single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText(/^\d+ findings$/).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.keyboard.press('?');
    await page.getByLabel('Order').selectOption('page');
    // A button does what the keys did not.
    await page.getByRole('button', { name: 'Next finding' }).click();
    await current().getByText('Mara Kleinhoevel').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect((await on.get(review.id)).counts.accepted).to.equal(0);
    expect(await page.locator('.bench-key').count()).to.equal(0);
    await page.getByRole('button', { name: 'Keys and colours' }).click();
    await page.getByRole('dialog').getByLabel('Single-key shortcuts').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await saved(review.id, { accepted: 1 });
  });

  it('updates the list live', async () => {
    // Open reviews are looked for now and then: one that has ended would leave their list.
    await open('/reviews?state=any');
    await page.getByRole('heading', { name: 'Reviews' }).waitFor();
    const review = await letter();
    const line = rowOf(page, review.id);
    await line.getByText('open', { exact: true }).waitFor();
    expect((await on.api.call('POST', `/v1/documents/reviews/${review.id}/claim`)).status).to.equal(
      200,
    );
    await line.getByText(/^ends in/).waitFor();
    const rejected = await on.api.call('POST', `/v1/documents/reviews/${review.id}/reject`, {
      body: { reason: 'The wrong document.' },
    });
    expect(rejected.status, rejected.text).to.equal(200);
    await line.getByText('rejected', { exact: true }).waitFor();
  });

  it('shows what will be painted over, and links list and pages both ways', async () => {
    const review = await letter();
    const [finding] = await on.findings(review.id, '&page=1&type=EMAIL_ADDRESS');
    await openBench(review);
    await page.locator('[data-page="1"] img').waitFor();
    await row('mara@example.org').hover();
    await page.locator('.bench-mark.hovered').waitFor();
    expect(await page.locator('.bench-mark.hovered').getAttribute('data-finding')).to.equal(
      finding!.id,
    );
    await mark(finding!.id).locator('.bench-outline').first().click();
    await current().getByText('mara@example.org').waitFor();
    await page.locator(`#row-${finding!.id}[aria-selected="true"]`).waitFor();
    await current().getByText('wider than the words').waitFor();
    const painted = mark(finding!.id).locator('.bench-removal');
    expect(await painted.count()).to.equal(finding!.removal!.length);
    await current().getByRole('button', { name: 'Reject' }).click();
    await mark(finding!.id).locator('.bench-words').first().waitFor();
    await page.locator(`#row-${finding!.id}.rejected`).waitFor();
    expect(await painted.count()).to.equal(0);
    // Accepted again, its box is computed again.
    await page.locator(`#row-${finding!.id}`).click();
    await current().getByRole('button', { name: 'Accept' }).click();
    await mark(finding!.id).locator('.bench-removal').first().waitFor();
  });

  it('filters, and decides about all that is shown', async () => {
    const review = await letter();
    const findings = await on.findings(review.id);
    const mails = findings.filter(({ type }) => type === 'EMAIL_ADDRESS').length;
    await openBench(review);
    await page.getByLabel('Type', { exact: true }).selectOption('EMAIL_ADDRESS');
    await page.getByText(`${mails} of ${findings.length} findings`).waitFor();
    await page.getByRole('button', { name: 'Reject all shown' }).click();
    await saved(review.id, { rejected: mails });
    await page.getByLabel('Decision').selectOption('pending');
    await page.getByText(`0 of ${findings.length} findings`).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.keyboard.press('u');
    await saved(review.id, { rejected: 0, pending: findings.length });
    await page.getByLabel('Score from').fill('100');
    await page.getByText(`of ${findings.length} findings`).waitFor();
  });

  it('loads only the pages in sight', async () => {
    const pages = Array.from({ length: 40 }, (_, at) => [`Page ${at + 1} for Mr Quill`]);
    const source = await on.upload(await bornDigitalPdf(pages), 'long.pdf');
    const review = await on.awaitReview(source);
    const asked = new Set<string>();
    page.on('request', (request) => {
      const found = /pages\/(\d+)\/image/.exec(request.url());
      if (found) asked.add(found[1]!);
    });
    await openBench(review);
    await page.locator('[data-page="1"] img').waitFor();
    await page.getByRole('button', { name: /^Page 40/ }).click();
    await page.locator('[data-page="40"] img').waitFor();
    expect(asked.size).to.be.lessThan(10);
    expect(await page.locator('.bench-sheet').count()).to.be.lessThan(10);
    page.removeAllListeners('request');
  });

  it('works on a narrow screen, by touch', async () => {
    const review = await letter();
    const other = await openTab({ width: 390, theme: 'dark', touch: true });
    await logIn(other, on.api.url, on.api, `/reviews/${review.id}`);
    await other.page.locator('[data-page="1"] img').waitFor();
    await other.page.getByRole('button', { name: 'Next finding' }).click();
    await other.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await saved(review.id, { accepted: 1 });
    expect(await scrollsSideways(other.page)).to.equal(false);
    const hints = other.page.locator('.bench-key');
    await hints.first().waitFor({ state: 'attached' });
    expect(await hints.filter({ visible: true }).count()).to.equal(0);
    const rejected = await on.api.call('POST', `/v1/documents/reviews/${review.id}/reject`, {
      body: { reason: 'Not the file that was meant.' },
    });
    expect(rejected.status, rejected.text).to.be.below(300);
    await other.page.reload();
    const result = other.page.getByRole('region', { name: 'Result' });
    await other.page.locator('[data-page="1"] img').waitFor();
    const pages = await other.page.locator('.bench-frame').boundingBox();
    expect((await result.boundingBox())!.y).to.be.below(pages!.y);
    expect(other.faults).to.deep.equal([]);
    await other.close();
  });

  it('adds a box, words, and a text everywhere; and undoes', async () => {
    const review = await letter();
    await openBench(review);
    await page.keyboard.press('d');
    await drawingArea().waitFor();
    const sheet = (await page.locator('[data-page="1"]').boundingBox())!;
    await page.mouse.move(sheet.x + sheet.width * 0.5, sheet.y + sheet.height * 0.3);
    await page.mouse.down();
    await page.mouse.move(sheet.x + sheet.width * 0.7, sheet.y + sheet.height * 0.35);
    await page.mouse.up();
    await saved(review.id, { added: 1 });
    await current().getByText('Added').waitFor();
    // By keyboard alone: from the middle of the page, down and wider.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await saved(review.id, { added: 2 });
    await page.keyboard.press('u');
    await saved(review.id, { added: 1 });
    await page.keyboard.press('w');
    await page.locator('[data-page="1"] [data-word="0"]').click();
    await saved(review.id, { added: 2 });
    await current().getByText('Dear').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text').fill('nowhere at all');
    await dialog.getByRole('button', { name: 'Redact everywhere' }).click();
    await dialog.getByText('does not occur').waitFor();
    await dialog.getByLabel('Text').fill('bluebird');
    await dialog.getByRole('button', { name: 'Redact everywhere' }).click();
    await dialog.getByText('2 places on page 2').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await saved(review.id, { added: 4 });
    await page.getByRole('button', { name: 'Delete added finding' }).click();
    await saved(review.id, { added: 3 });
    await page.keyboard.press('u');
    await saved(review.id, { added: 4 });
  });

  it('sends nothing to undo an addition that changed nothing', async () => {
    const review = await letter();
    await openBench(review);
    const changes: string[] = [];
    const note = (request: Request): void => {
      if (request.method() === 'PATCH') changes.push(request.postData() ?? '');
    };
    await row('otto@example.org').click();
    await page.keyboard.press('a');
    await saved(review.id, { accepted: 1 });
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text').fill('otto@example.org');
    await dialog.getByRole('button', { name: 'Redact everywhere' }).click();
    await dialog.getByText('1 place on page 2').waitFor();
    page.on('request', note);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.keyboard.press('Escape');
    await row('jonas@example.org').click();
    await page.keyboard.press('a');
    await saved(review.id, { accepted: 2 });
    page.off('request', note);
    expect(changes).to.have.length(1);
  });

  it('takes a tool also while the source is being loaded', async () => {
    const review = await letter();
    let asked = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/objects/${review.source_object_id}`, async (route) => {
      asked += 1;
      await released;
      await route.continue();
    });
    await openBench(review);
    await page.keyboard.press('d');
    release();
    await drawingArea().waitFor();
    expect(asked).to.equal(1);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('undoes the latest change also while it is being saved', async () => {
    const review = await letter();
    await openBench(review);
    await page.locator('[data-page="1"] img').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await saved(review.id, { accepted: 1 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isAdded = (request: Request) => request.method() === 'POST';
    await page.route('**/findings', async (route) => {
      if (isAdded(route.request())) await released;
      await route.continue();
    });
    const asked = page.waitForRequest(isAdded);
    for (const key of ['d', 'ArrowDown', 'Shift+ArrowRight', 'Enter']) {
      await page.keyboard.press(key);
    }
    await asked;
    await page.keyboard.press('u');
    const removed = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    release();
    expect((await removed).ok()).to.equal(true);
    await saved(review.id, { added: 0, accepted: 1 });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('explains a conflict, submits with a summary, and removes exactly what was accepted', async () => {
    const review = await letter();
    const findings = await on.findings(review.id);
    await openBench(review);
    await row('otto@example.org').click();
    await page.keyboard.press('r');
    await saved(review.id, { rejected: 1 });
    await page.getByRole('button', { name: 'Submit review' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Submit review' });
    expect(await submit.isDisabled()).to.equal(true);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await dialog.getByRole('checkbox', { name: /^Accept \d+ pending findings$/ }).check();
    // In another tab of the same key.
    await on.decide(review.id, { ids: [findings[0]!.id], decision: 'accept' });
    await submit.click();
    await dialog.getByText('The review was changed after you loaded it').waitFor();
    await dialog.getByRole('button', { name: 'Reload review' }).click();
    await page.getByText(/^\d+ findings$/).waitFor();
    await page.getByRole('button', { name: 'Submit review' }).click();
    await dialog.getByRole('checkbox').check();
    await submit.click();
    await page.getByText('These decisions apply to the job').waitFor();
    expect(await page.getByRole('button', { name: 'Accept all shown' }).count()).to.equal(0);
    const job: JobRecord = await on.untilFinished(review.job_id);
    expect(job.state).to.equal('succeeded');
    await page.getByRole('button', { name: 'Compare original and result' }).click();
    const sides = page.locator('.compare-page img');
    await sides.nth(1).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'Slider' }).click();
    await page.getByRole('slider', { name: 'How much of the original is shown' }).fill('20');
    await sides.nth(1).waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Certificate (PDF)' }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal(`certificate-${job.id}.pdf`);
    await open('/reviews');
    await page.getByRole('link', { name: 'Precision' }).click();
    await page.getByRole('img', { name: /^E-mail address by score/ }).waitFor();
    const text = await textOf((await on.content(job.outputs[0]!.object_id)).bytes);
    expect(text.join('\n'))
      .to.include('otto@example.org')
      .and.not.match(/kleinhoevel|jonas@/i);
  });

  it('shows how the findings of a submitted review were decided', async () => {
    const pages = [1, 2, 3].map((at) =>
      Array.from({ length: 22 }, (_, line) => `Write to p${at * 100 + line}@example.org.`),
    );
    const source = await on.upload(await bornDigitalPdf(pages), 'submitted.pdf');
    const review = await on.awaitReview(source);
    await openBench(review);
    await page.keyboard.press('j');
    await current().getByText('Pending').waitFor();
    await page.getByRole('button', { name: 'Submit review' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    const places = async () => ({
      current: (await current().boundingBox())!.y,
      list: (await list().boundingBox())!.y,
    });
    const before = await places();
    await dialog.getByRole('button', { name: 'Submit review' }).click();
    await page.getByText(`0 pending, ${review.counts.pending} accepted`).waitFor();
    await page.getByRole('link', { name: 'Download result' }).waitFor();
    expect(await places()).to.deep.equal(before);
    await current().getByText('Accepted').waitFor();
    await page.locator('.bench-row.accepted').first().waitFor();
    await page.locator('.bench-mark.accepted').first().waitFor();
    expect(await page.locator('.bench-row.pending, .bench-mark.pending').count()).to.equal(0);
    await page.getByLabel('Decision').selectOption('accepted');
    await page.getByText(`${review.counts.pending} findings`, { exact: true }).waitFor();
  });

  it('shows what was decided in another tab, once it saves a decision', async () => {
    const review = await letter();
    const findings = await on.findings(review.id);
    const other = findings.find(({ text }) => text === 'otto@example.org')!;
    await openBench(review);
    await on.decide(review.id, { ids: [other.id], decision: 'reject' });
    await row('jonas@example.org').click();
    await page.keyboard.press('a');
    await page.locator(`#row-${other.id}.rejected`).waitFor();
    await page.getByText(`${findings.length - 2} pending, 1 accepted, 1 rejected`).waitFor();
  });

  it('rejects a review with a reason', async () => {
    const review = await letter();
    await openBench(review);
    await page.getByRole('button', { name: 'Reject review' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('The wrong document.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject review' }).click();
    await page.getByText('The wrong document.').waitFor();
    expect((await on.get(review.id)).state).to.equal('rejected');
    const job = await on.untilFinished(review.job_id);
    expect(job.error?.code).to.equal('review_rejected');
  });

  it('shows who holds a review, and offers no decisions meanwhile or without the scope', async () => {
    const review = await letter();
    const [finding] = await on.findings(review.id);
    const holder = await on.api.issue(reviewer);
    await on.decide(review.id, { ids: [finding!.id], decision: 'accept' }, holder);
    await openBench(review);
    await page.getByText('Another reviewer has claimed this review').waitFor();
    expect(await page.getByRole('button', { name: 'Submit review' }).count()).to.equal(0);
    const reader = await on.api.issue(['documents:read', 'objects:read']);
    const other = await openTab();
    await logIn(other, on.api.url, reader, `/reviews/${review.id}`);
    await other.page.locator('.bench-row').first().waitFor();
    expect(await other.page.getByRole('button', { name: /Accept|Draw/ }).count()).to.equal(0);
    expect(other.faults).to.deep.equal([]);
    await other.close();
  });

  it('offers to redact a text everywhere only to those who may read it', async () => {
    const review = await letter();
    const blind = await on.api.issue(reviewer.filter((scope) => scope !== 'pii:read'));
    const other = await openTab();
    await logIn(other, on.api.url, blind, `/reviews/${review.id}`);
    await other.page.getByRole('button', { name: 'Draw box' }).waitFor();
    await other.page.keyboard.press('e');
    expect(await other.page.getByText('Redact everywhere').count()).to.equal(0);
    expect(other.faults).to.deep.equal([]);
    await other.close();
  });

  it('chooses the label of a document', async () => {
    const source = await on.upload(
      await bornDigitalPdf([['INVOICE', 'Invoice number 12', 'Total due: 100 EUR']]),
      'invoice.pdf',
    );
    const body = {
      source_object_id: source,
      operations: [{ op: 'classify', options: { review: 'required' } }],
    };
    const started = await on.api.call('POST', '/v1/documents/jobs', { body });
    expect(started.status, started.text).to.equal(202);
    const review = await on.reviewOf(started.json.id);
    await open(`/reviews/${review.id}`);
    await page.locator('[data-page="1"] img').waitFor();
    await page.getByLabel('Label of this document').selectOption('receipt');
    await page.getByRole('button', { name: 'Submit review' }).click();
    await page.getByText('These decisions apply to the job').waitFor();
    expect((await on.get(review.id)).label).to.equal('receipt');
  });
});
