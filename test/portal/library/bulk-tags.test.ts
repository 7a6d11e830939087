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
});
