import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, logIn, openTab, type Tab } from '../../support/browser.ts';
import { codedScans, scanCodings } from '../../support/coded-scans.ts';
import { eventually } from '../../support/eventually.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { openRedactions, type Redactions } from '../../support/redactions.ts';
import { bornDigitalPdf, imageOf } from '../../support/samples.ts';

const attack = '<img src=x onerror=reportPolicy("ran")>';
/** A hostile document, with a name for the redaction to find. */
const letter = [
  ['Dear Mr Quillone', attack, '[a link](javascript:reportPolicy("ran"))'],
  ['This is the second page', attack],
  ['The third page says goodbye'],
];
const markdown = [
  '# A heading',
  `A paragraph with ${attack} and <script>reportPolicy("ran")</script>.`,
  '',
  '<img src="https://elsewhere.example/pixel.png" onerror="reportPolicy(1)">',
  '',
  '[bad](javascript:reportPolicy%28%22ran%22%29) [data](data:text/html,x) [good](https://example.org/a?b=c) ![pic](https://elsewhere.example/pixel.png)',
  '',
  '| a | b |',
  '| - | - |',
  '| 1 | **2** |',
].join('\n');

describeInBrowser('the portal’s pages and previews', () => {
  let on: Redactions;
  let tab: Tab;
  let page: Page;
  let job: JobRecord;
  let files: JobRecord;
  let hostile: JobRecord;
  before(async () => {
    on = await openRedactions();
    on.workers.start('imaging');
    const source = await on.upload(await bornDigitalPdf(letter), 'letter.pdf');
    job = await on.run(source, [
      { op: 'ocr', options: { output: ['searchable_pdf', 'words'] } },
      { op: 'redact_pii', options: { keep_unredacted: true } },
    ]);
    const notes = await on.upload(markdown, 'notes.md');
    files = await on.run(notes, [{ op: 'normalize_for_llm' }]);
    // Redaction keeps the Markdown source unchanged.
    hostile = await on.redact(notes);
    for (const { state } of [job, files, hostile]) expect(state).to.equal('succeeded');
    tab = await openTab();
    ({ page } = tab);
    await logIn(tab, on.api.url, on.api, '/jobs');
  });
  afterEach(() => expect(tab.faults).to.deep.equal([]));
  after(async () => {
    await on.close();
  });

  const open = (path: string) => page.goto(`${on.api.url}/portal${path}`);
  const output = ({ outputs }: JobRecord, kind: string): string =>
    outputs.find((one) => one.kind === kind)!.object_id;
  /** The number of dark pixels of the page's canvas: 0 until it is drawn. */
  const inked = `(() => {
    const canvas = document.querySelector('canvas[data-page]');
    if (!canvas || canvas.width < 100) return 0;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 128 && data[at] < 100) dark += 1;
    return dark;
  })()`;

  it('draws a page with its words and redactions, and turns pages by keyboard', async () => {
    await open(`/jobs/${job.id}/pages/1`);
    await eventually(() => page.evaluate(inked));
    // The words are loaded on their own.
    const words = page.locator('.page-words text');
    await words.first().waitFor();
    const read = (await words.allTextContents()).map((word) => word.trim());
    expect(read).to.include('Quillone').and.to.include('<img');
    await page.locator('.page-words rect').first().hover({ force: true });
    await page.getByText('“Dear”, confidence 100%').waitFor();
    await page.locator('.page-redactions rect').first().hover({ force: true });
    await page.locator('.page-told').getByText('Quillone').waitFor();
    // The words are drawn where the page has ink.
    expect(await page.evaluate(overlap)).to.be.greaterThan(0.9);
    const wide = await page.locator('.page-stage').boundingBox();
    await page.keyboard.press('+');
    await page.getByText('125%').waitFor();
    expect((await page.locator('.page-stage').boundingBox())!.width).to.be.greaterThan(wide!.width);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Page 2 of 3' }).waitFor();
    await page.locator('canvas[data-page="2"]').waitFor();
    await page.getByRole('checkbox', { name: 'Words' }).uncheck();
    expect(await words.count()).to.equal(0);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('heading', { name: 'Page 3 of 3' }).waitFor();
  });

  it('shows where each finding is, picked in the list or on the page', async () => {
    await open(`/jobs/${job.id}/pages/1`);
    const finding = page.getByRole('button', { name: /Person.*Quillone/ });
    await finding.click();
    const picked = page.locator('.page-redactions rect.picked');
    await picked.first().waitFor();
    expect(await finding.getAttribute('aria-pressed')).to.equal('true');
    await finding.click();
    await picked.first().waitFor({ state: 'detached' });
    await page.locator('.page-redactions rect').first().click();
    await page.getByRole('button', { name: /Person.*Quillone/, pressed: true }).waitFor();
    expect(await page.title()).to.contain('Page 1 of 3');
  });

  it('compares a redacted PDF with its original, side by side and by a slider', async () => {
    await open(`/jobs/${job.id}`);
    await page.getByRole('link', { name: 'Compare Redacted PDF with the original' }).click();
    const pictures = page.locator('.compare-page img');
    await eventually(async () => (await pictures.count()) === 2);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Slider' }).click();
    const slider = page.getByRole('slider');
    const over = page.locator('.compare-over');
    const uncovered = await over.getAttribute('style');
    await slider.press('ArrowRight');
    await eventually(async () => (await over.getAttribute('style')) !== uncovered);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('status').getByText('Page 2', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Result only' }).click();
    await page.getByText('Page 1 of 3').waitFor();
  });

  it('says that pages are being drawn until they are', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pageOrContent = /\/pages\/\d+\/image|\/content$/;
    await page.route(pageOrContent, async (route) => {
      await held;
      await route.continue();
    });
    await open(`/jobs/${job.id}/outputs/${output(job, 'redacted_pdf')}/compare`);
    const waiting = page.getByRole('status').filter({ hasText: 'Drawing page 1…' });
    await eventually(async () => (await waiting.count()) === 2);
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await open(`/jobs/${job.id}/pages/1`);
    await waiting.waitFor();
    release();
    await eventually(() => page.evaluate(inked));
    await waiting.waitFor({ state: 'detached' });
    await page.unroute(pageOrContent);
  });

  it('shows only the positions of redactions without the scope pii:read', async () => {
    const reader = await on.api.issue(['documents:read', 'objects:read', 'objects:download']);
    const tab = await openTab();
    await logIn(tab, on.api.url, reader, `/jobs/${job.id}/pages/1`);
    await tab.page.locator('.page-redactions rect').first().waitFor();
    await tab.page.getByText('Person, ').first().waitFor();
    expect(await tab.page.locator('main').innerText()).not.to.include('Quillone');
    expect(await tab.page.locator('.page-words').count()).to.equal(0);
    await tab.page.getByText('which this API key does not have').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('draws the words on an empty page without the scope objects:download, and says why', async () => {
    const reader = await on.api.issue(['documents:read', 'objects:read', 'pii:read']);
    const tab = await openTab();
    await logIn(tab, on.api.url, reader, `/jobs/${job.id}/pages/1`);
    await tab.page.getByText('requires the scope objects:download').waitFor();
    await tab.page.locator('.page-words.visible').waitFor();
    await tab.page.goto(
      `${on.api.url}/portal/jobs/${job.id}/outputs/${output(job, 'redacted_pdf')}`,
    );
    await tab.page.getByText('Access denied').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('says that a policy denies showing a page or an output', async () => {
    const policyId = await addPolicy(on.api, {
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    const refused = await openTab({ expected: [403] });
    await logIn(refused, on.api.url, on.api, `/jobs/${job.id}/pages/1`);
    await refused.page.getByText('The page image cannot be shown. ').waitFor();
    await refused.page.locator('.page-words.visible').waitFor();
    await refused.page.goto(
      `${on.api.url}/portal/jobs/${job.id}/outputs/${output(job, 'redacted_pdf')}`,
    );
    await refused.page.getByRole('heading', { name: 'Denied by a policy' }).waitFor();
    expect(refused.faults).to.deep.equal([]);
    await refused.close();
    await on.api.call('DELETE', `${policiesPath}/${policyId}`, { headers: { 'if-match': '*' } });
  });

  it('shows the beginning of a large text, in whole lines', async () => {
    const line = `a line of words, é, ${attack}\n`;
    const big = await on.upload(line.repeat(15_000), 'big.txt');
    const read = await on.redact(big);
    expect(read.state).to.equal('succeeded');
    await open(`/jobs/${read.id}/outputs/${output(read, 'redacted_file')}`);
    await page.getByText('Only the beginning is shown.').waitFor();
    const shown = await page.locator('.preview-text').textContent();
    expect(shown!.length).to.be.lessThan(512 * 1024);
    expect(shown!.replaceAll(line, '')).to.equal('');
  });

  it('shows an image as a page', async () => {
    const source = await on.upload(await imageOf('png', ['A picture of words']), 'scan.png');
    const read = await on.run(source, [{ op: 'ocr', options: { output: ['text'] } }]);
    await open(`/jobs/${read.id}/pages/1`);
    await page.locator('.page-stage img').waitFor();
    await page.locator('.page-words text').first().waitFor();
  });

  it('shows the rendition of an image type that browsers do not support', async () => {
    const source = await on.upload(await imageOf('tiff', ['A picture of words']), 'scan.tiff');
    const read = await on.run(source, [{ op: 'ocr', options: { output: ['text'] } }]);
    await eventually(async () => {
      const { json } = await on.api.call('GET', `/v1/images?object_id=${source}`);
      return json.data[0]?.renditions.w320 !== undefined;
    });
    await open(`/jobs/${read.id}/pages/1`);
    await page.locator('.page-stage img').waitFor();
    await page.locator('.page-words text').first().waitFor();
    expect(await page.getByText('cannot be shown').count()).to.equal(0);
  });

  it('draws scans in codings that browsers do not support', async () => {
    const source = await on.upload(await codedScans(), 'scans.pdf');
    const read = await on.run(source, [{ op: 'ocr', options: { output: ['text'] } }]);
    await open(`/jobs/${read.id}/pages/1`);
    for (const [at, coding] of scanCodings.entries()) {
      await page.locator(`canvas[data-page="${at + 1}"]`).waitFor();
      const halves = await page.evaluate(darkHalves);
      expect(halves, coding).to.satisfy(
        ([above, below]: number[]) => above! < 0.05 && below! > 0.9,
      );
      await page.keyboard.press('ArrowRight');
    }
  });

  it('previews PDF, Markdown, JSON and chunks without running their content', async () => {
    await open(`/jobs/${job.id}/outputs/${output(job, 'redacted_pdf')}`);
    await page.getByText('Page 1 of 3').waitFor();
    await eventually(() => page.evaluate(inked));
    const show = (record: JobRecord, kind: string) =>
      page.goto(`${on.api.url}/portal/jobs/${record.id}/outputs/${output(record, kind)}`);
    await show(hostile, 'redacted_file');
    const shown = page.locator('.preview-markdown');
    await shown.getByRole('heading', { name: 'A heading' }).waitFor();
    expect(await shown.locator('img, script, [onerror]').count()).to.equal(0);
    const links = await shown
      .locator('a')
      .evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.getAttribute('rel')]));
    expect(links).to.deep.equal([['https://example.org/a?b=c', 'noopener noreferrer nofollow']]);
    await shown.getByRole('columnheader', { name: 'a', exact: true }).waitFor();
    await show(files, 'json');
    await page.getByText('"blocks"').waitFor();
    await show(files, 'chunks');
    await page.getByText(/1 chunk, \d+ tokens/).waitFor();
  });

  it('renders the tasks, character references, comments and tables of Markdown', async () => {
    const text = [
      'Caf&eacute;&nbsp;&copy; &#x27;&lt;b&gt;&#x27; &unknown; `&amp;`',
      '- [x] done\n- [ ] open',
      '<!-- -->',
      '<!-- a chart -->',
      '| left | right |\n| :- | -: |\n| 1 | 2 |',
      '[query](https://example.org/a?b&amp;c) [code](javascript&colon;reportPolicy%28%22ran%22%29)',
    ].join('\n\n');
    const read = await on.redact(await on.upload(text, 'forms.md'));
    expect(read.state).to.equal('succeeded');
    await open(`/jobs/${read.id}/outputs/${output(read, 'redacted_file')}`);
    const preview = page.locator('.preview-markdown');
    await preview.getByText('Caf').waitFor();
    const paragraphs = await preview.locator('> p').allTextContents();
    expect(paragraphs.slice(0, 2)).to.deep.equal([
      "Café\u00a0© '<b>' &unknown; &amp;",
      '[a chart]',
    ]);
    expect(await preview.locator('li').allTextContents()).to.deep.equal(['☑ done', '☐ open']);
    expect(await page.evaluate(alignments)).to.deep.equal(['left', 'right']);
    const links = await preview
      .locator('a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(links).to.deep.equal(['https://example.org/a?b&c']);
    await preview.getByText('(javascript:reportPolicy').waitFor();
  });
});

/** The alignment of each cell in the body of a table. */
const alignments = `[...document.querySelectorAll('.preview-markdown td')].map(
  (cell) => getComputedStyle(cell).textAlign
)`;

/** The share of dark pixels in the upper and the lower half of the page. */
const darkHalves = `(() => {
  const canvas = document.querySelector('canvas[data-page]');
  const half = Math.floor(canvas.height / 2);
  return [0, half].map((top) => {
    const { data } = canvas.getContext('2d').getImageData(0, top, canvas.width, half);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 128 && data[at] < 100) dark += 1;
    return dark / (data.length / 4);
  });
})()`;

/** The share of drawn words with ink below them. */
const overlap = `(() => {
  const canvas = document.querySelector('canvas[data-page]');
  const context = canvas.getContext('2d');
  const page = canvas.getBoundingClientRect();
  const factor = canvas.width / page.width;
  const boxes = [...document.querySelectorAll('.page-words rect')].map((one) => one.getBoundingClientRect());
  const hit = boxes.filter((box) => {
    const { data } = context.getImageData((box.left - page.left) * factor, (box.top - page.top) * factor,
      Math.max(1, box.width * factor), Math.max(1, box.height * factor));
    for (let at = 0; at < data.length; at += 4) if (data[at] < 128 && data[at + 3] > 128) return true;
    return false;
  });
  return hit.length / boxes.length;
})()`;
