import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { seriousFindings, seriousFindingsInThemes } from '../../support/axe.ts';
import { describeInBrowser, logIn, openTab, scrollsSideways } from '../../support/browser.ts';

describeInBrowser('the documentation in a browser', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(async () => {
    await api.close();
  });

  for (const [width, themes, reference] of [
    [320, 'the light theme', 'uploads'],
    [1440, 'both themes', 'webhooks'],
  ] as const) {
    it(`is legible in ${themes} and without errors at ${width} px`, async () => {
      const tab = await openTab({ width });
      for (const path of [
        '/docs',
        '/docs/guides/webhooks',
        `/docs/reference/${reference}`,
        '/docs/search?q=redaction',
      ]) {
        await tab.page.goto(api.url + path);
        const tryIt = tab.page.locator('.try > summary').first();
        if (await tryIt.count()) {
          await tryIt.click();
          await tab.page.locator('.try-form').first().waitFor();
        }
        const findingsOf = themes === 'both themes' ? seriousFindingsInThemes : seriousFindings;
        expect(await findingsOf(tab.page), path).to.deep.equal([]);
        expect(await scrollsSideways(tab.page), path).to.equal(false);
      }
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  }

  it('never scrolls sideways at any width', async () => {
    const tab = await openTab({ width: 320 });
    await tab.page.goto(`${api.url}/docs`);
    const paths = await tab.page
      .locator('nav a')
      .evaluateAll((found) => [
        ...new Set(found.map((link) => (link as unknown as { pathname: string }).pathname)),
      ]);
    const wide: string[] = [];
    for (const path of paths.filter((one) => !one.endsWith('.json'))) {
      await tab.page.goto(api.url + path);
      if (await scrollsSideways(tab.page)) wide.push(path);
    }
    expect(wide).to.deep.equal([]);
    await tab.close();
  });

  it('finds an operation by keyboard and copies its command', async () => {
    const tab = await openTab();
    const { page } = tab;
    await page.goto(`${api.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('createSignedUrl');
    const hit = page.locator('#hits a').first();
    await hit.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/reference\/objects#createSignedUrl$/);
    await page.locator('#createSignedUrl').getByRole('button', { name: 'Copy: curl' }).click();
    await page.getByRole('button', { name: 'Copy: curl' }).getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).to.match(/^curl -X POST "\$SERVICE_URL\/v1\/objects\/obj_\w+\/signed-urls"/);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('opens the search with Ctrl K, even inside a field or on a narrow screen', async () => {
    const tab = await openTab();
    const { page } = tab;
    const search = page.getByRole('navigation').getByLabel('Search');
    await page.goto(`${api.url}/docs/search?q=redaction`);
    await page.getByRole('main').getByLabel('Search the documentation').focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('self-host');
    expect(await search.inputValue()).to.equal('self-host');
    await page.locator('#hits a').first().getByText('Install').first().waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${api.url}/docs`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('retry');
    expect(await search.inputValue()).to.equal('retry');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('searches guides and reference while typing, and with Enter as a page', async () => {
    const tab = await openTab();
    const { page } = tab;
    await page.goto(`${api.url}/docs`);
    await page.getByLabel('Search').fill('replay missed deliveries');
    await page.locator('#hits').getByText('Recover missed messages').waitFor();
    await page.getByLabel('Search').press('Enter');
    await page.waitForURL(/\/docs\/search\?q=replay/);
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await page.locator('.hits').getByRole('link', { name: 'Recover missed messages' }).click();
    await page.waitForURL(/guides\/webhooks#recover-missed-messages$/);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows every sample in three languages, and remembers which', async () => {
    const tab = await openTab();
    const { page } = tab;
    await page.goto(`${api.url}/docs/reference/webhooks`);
    const operation = page.locator('#testWebhook');
    await operation.getByRole('tab', { name: 'Python' }).click();
    await operation.getByText('import requests').waitFor();
    expect(await operation.getByText('curl -X POST').isVisible()).to.equal(false);
    await page.keyboard.press('ArrowLeft');
    await operation.getByText('await fetch(').waitFor();
    await page.goto(`${api.url}/docs/reference/objects`);
    await page.locator('#getObject').getByText('await fetch(').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('sends a request with a pasted key that is stored nowhere, or with the portal’s session', async () => {
    const tab = await openTab({ expected: [403, 404] });
    const { page } = tab;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).origin));
    await page.goto(`${api.url}/docs/reference/webhooks`);
    const operation = page.locator('#listWebhooks');
    await operation.getByText('Try it').click();
    await operation.getByLabel('API key').fill(api.key);
    await operation.getByLabel('Project').fill(api.projectId);
    await operation.getByText('Optional parameters').click();
    await operation.getByLabel('limit').fill('1');
    await operation.getByRole('button', { name: 'Send GET' }).click();
    await operation.getByText(/^200 OK in \d+ ms$/).waitFor();
    await operation.getByLabel('Response').getByText('"has_more": false').waitFor();
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(kept).not.to.contain(api.key);
    // The session of the portal, for a change.
    await logIn(tab, api.url, api);
    await page.goto(`${api.url}/docs/reference/api-keys`);
    const create = page.locator('#createKey');
    await create.getByText('Try it').click();
    await create.getByText(`Session: ${api.projectId}`).waitFor();
    await create.getByLabel('Body').fill('{"name":"From the docs","scopes":["events:read"]}');
    await create.getByRole('button', { name: 'Send POST' }).click();
    await create.getByText(/^201 Created in/).waitFor();
    const { json } = await api.call('GET', '/v1/keys');
    expect(json.data.map(({ name }: { name: string }) => name)).to.include('From the docs');
    expect([...new Set(sent)]).to.deep.equal([api.url]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('marks the operation in sight in the contents', async () => {
    const tab = await openTab();
    const { page } = tab;
    await page.goto(`${api.url}/docs/reference/webhooks#rotateWebhookSecret`);
    const current = page.locator('#contents a[aria-current="location"]');
    await page
      .locator('#contents a[aria-current="location"][href$="#rotateWebhookSecret"]')
      .waitFor();
    await page.keyboard.press('Control+Home');
    await page.locator('#contents a[aria-current="location"][href$="#listWebhooks"]').waitFor();
    await page.locator('#contents a[href$="#cancelReplay"]').click();
    await page.locator('#contents a[aria-current="location"][href$="#cancelReplay"]').waitFor();
    expect(await current.count()).to.equal(1);
    expect(await current.isVisible()).to.equal(true);
    await tab.close();
  });

  it('says when a search finds nothing', async () => {
    const tab = await openTab();
    await tab.page.goto(`${api.url}/docs`);
    await tab.page.getByLabel('Search').fill('qqqqqqqqzzzz');
    await tab.page.getByText('No matches', { exact: true }).waitFor();
    await tab.close();
  });

  it('opens the contents on a narrow screen', async () => {
    const tab = await openTab({ width: 320 });
    await tab.page.goto(`${api.url}/docs`);
    await tab.page.getByRole('button', { name: 'Contents' }).click();
    await tab.page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
    await tab.page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    await tab.close();
  });
});
