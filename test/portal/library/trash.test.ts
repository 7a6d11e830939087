import { expect } from 'chai';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { createCollectionClient } from '../../support/collections.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { postRaw } from '../../support/uploads.ts';

describeInBrowser('the trash in the portal', () => {
  let api: TestApi;
  const ids: string[] = [];
  before(async () => {
    api = await useSharedApi();
    for (const name of ['one.txt', 'two.txt', 'three.txt', ...hostileTexts]) {
      const { json } = await postRaw(api, name, name);
      await api.call('DELETE', `/v1/objects/${json.id}`);
      ids.push(json.id);
    }
  });
  const stateOf = async (id: string) => (await api.call('GET', `/v1/objects/${id}`)).json.state;

  it('lists objects with their purge dates, and shows hostile names as text', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/trash');
    await page.getByRole('gridcell').getByText('Purged in 30 days').first().waitFor();
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('restores one object, and several', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/trash');
    await page.getByRole('gridcell').filter({ hasText: 'one.txt' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Restore 1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('“one.txt” restored.').waitFor();
    expect(await stateOf(ids[0]!)).to.equal('available');
    await page.getByLabel('Select two.txt').check();
    await page.getByLabel('Select three.txt').check();
    await page.getByRole('button', { name: 'Restore 2' }).click();
    await page.getByText('2 objects restored.').waitFor();
    expect(await stateOf(ids[1]!)).to.equal('available');
    expect(await stateOf(ids[2]!)).to.equal('available');
    await page.getByRole('link', { name: 'Rejected' }).click();
    await page.getByText('No rejected objects').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('restores a collection with its descendants, and says why a descendant cannot be restored alone', async () => {
    const collections = createCollectionClient(api);
    const outer = await collections.make({ name: 'Outer' });
    const inner = await collections.make({ name: 'Inner', parent_id: outer });
    await collections.trash(outer);
    const tab = await openTab({ expected: [409] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/trash?show=collections');
    await page.getByRole('button', { name: 'Restore Inner' }).click();
    await page.getByText('0 restored, 1 failed: ').waitFor();
    await page.getByRole('button', { name: 'Restore Outer' }).click();
    await page.getByText('“Outer” restored.').waitFor();
    expect((await collections.get(inner)).state).to.equal('available');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('offers no changes to a read-only key', async () => {
    const reader = await api.issue(['objects:read']);
    const tab = await openTab();
    await logIn(tab, api.url, reader, '/trash');
    await tab.page.getByText('Purged in 30 days').first().waitFor();
    expect(await tab.page.getByRole('button', { name: 'Restore' }).count()).to.equal(0);
    expect(await tab.page.getByRole('link', { name: 'Collections' }).count()).to.equal(1);
    await tab.close();
  });
});
