import { expect } from 'chai';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { postRaw } from '../../support/uploads.ts';

describeInBrowser('tags of a selection', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
    for (const at of [1, 2, 3]) await postRaw(api, `Note ${at}`, `note-${at}.txt`);
  });

  it('are changed a second time with the versions that the first change left', async () => {
    const tab = await openTab();
    const { page } = tab;
    const changes: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') changes.push(response.status());
    });
    await logIn(tab, api.url, api, '/library');
    await page.getByText('3 items', { exact: true }).waitFor();
    await page.getByRole('gridcell').first().focus();
    for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key);
    for (const tag of ['quay', 'tide']) {
      await page.getByRole('button', { name: 'Add tags' }).click();
      await page.getByLabel('Tags to add', { exact: true }).fill(tag);
      await page.getByRole('button', { name: 'Add to 2 items' }).click();
      await page.getByLabel('Tags to add', { exact: true }).waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Remove tags' }).click();
    await page.getByLabel('Tags to remove', { exact: true }).fill('quay');
    await page.getByRole('button', { name: 'Remove from 2 items' }).click();
    await page.getByText('Tags removed from 2 items.').waitFor();
    expect(changes).to.deep.equal([200, 200, 200, 200, 200, 200]);
    const { json } = await api.call('GET', '/v1/objects?tag=tide&sort=filename');
    const tags = json.data.map((object: { tags: string[] }) => object.tags.join());
    expect(tags).to.deep.equal(['tide', 'tide']);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('are changed again after the time that the service asks for', async () => {
    // The clock of its context cannot be reset.
    const tab = await openTab({ newProcess: true, expected: [429] });
    const { page } = tab;
    let rejected = 0;
    let sent = 0;
    await page.route('**/v1/objects/obj_*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      sent += 1;
      if (rejected > 0) return route.continue();
      rejected += 1;
      const problem = { code: 'rate_limited', status: 429, title: 'Too many', detail: 'Wait.' };
      return route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json: problem });
    });
    await page.clock.install();
    await logIn(tab, api.url, api, '/library');
    await page.getByText('3 items', { exact: true }).waitFor();
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Add tags' }).click();
    await page.getByLabel('Tags to add', { exact: true }).fill('ebb');
    const rejection = page.waitForResponse((response) => response.status() === 429);
    await page.getByRole('button', { name: 'Add to 1 item' }).click();
    await (await rejection).finished();
    await page.clock.fastForward('05:00');
    expect(sent).to.equal(1);
    // More than enough, if the page learnt of the rejection only now.
    await page.clock.fastForward('20:00');
    await page.getByText('Tags added to 1 item.').waitFor();
    expect(sent).to.equal(2);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
