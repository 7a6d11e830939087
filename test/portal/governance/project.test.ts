import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { postRaw } from '../../support/uploads.ts';

describeInBrowser('the portal’s project', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('adds, changes and deletes retention rules, and shows what they delete', async () => {
    const { json } = await postRaw(api, 'old', 'old file.txt');
    await api.rows(`UPDATE object SET created_at = now() - interval '40 days' WHERE id = $1`, [
      json.id,
    ]);
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/project');
    await page.getByText('Objects are kept until people delete them.').waitFor();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Days').fill('60');
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Delete 60 days after creation').waitFor();
    await page.getByRole('button', { name: /^Edit the rule/ }).click();
    await dialog.getByLabel('Days').fill('30');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Delete 30 days after creation').waitFor();
    await page.getByText('old file.txt').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: /^Delete the rule/ }).click();
    await dialog.getByRole('button', { name: 'Delete rule' }).click();
    await page.getByText('Objects are kept until people delete them.').waitFor();
    await tab.close();
  });

  it('deletes the project once its name is entered, and logs out', async () => {
    const tab = await openTab({ expected: [401] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/project');
    await page.getByRole('button', { name: 'Delete project' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Delete project' });
    expect(await submit.isDisabled()).to.equal(true);
    await dialog.getByLabel('Name of the project').fill('One');
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await submit.click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect((await api.call('GET', '/v1/objects')).json.code).to.equal('project_deleting');
    await tab.close();
  });
});
