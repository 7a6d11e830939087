import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startApi, type TestApi } from '../support/api.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  seriousFindings,
  startBrowser,
  untilDrawn,
} from '../support/browser.ts';
import { collectionsOf, imageRef } from '../support/collections.ts';
import { eventually } from '../support/eventually.ts';
import { hostile } from '../support/hostile.ts';
import { uploadImage } from '../support/images.ts';
import { illegible } from '../support/legible.ts';

const item = (page: Page, name: string) => page.getByRole('treeitem', { name });
const member = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name });

describeInBrowser('collections in the portal', () => {
  let api: TestApi;
  let browser: Browser;
  let collections: ReturnType<typeof collectionsOf>;
  const ids: string[] = [];
  before(async () => {
    [api, browser] = await Promise.all([startApi(), startBrowser()]);
    collections = collectionsOf(api);
    for (const name of ['one', 'two', 'three', 'four']) {
      const { id } = await uploadImage(api, `${name}.png`, [name]);
      ids.push(id);
    }
  });
  after(async () => {
    await browser.close();
    await api.close();
  });

  const orderIs = (id: string, wanted: string[]) =>
    eventually(async () => {
      const order = await collections.order(id);
      return JSON.stringify(order) === JSON.stringify(wanted);
    }, 10_000);

  it('is made, filled, ordered, renamed, moved and trashed by keyboard alone', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, '/collections');
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('New');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Harbour');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Harbour' }).waitFor();

    await press('Add');
    const dialog = page.getByRole('dialog');
    for (const name of ['one.png', 'two.png', 'three.png']) {
      await dialog.getByRole('checkbox', { name }).focus();
      await page.keyboard.press('Space');
    }
    await press('Add 3');
    await member(page, 'three.png').waitFor();
    const id = page.url().split('/').at(-1)!;
    const [one, two, three] = ids as [string, string, string];
    expect(await collections.order(id)).to.deep.equal([one, two, three]);

    // Alt and an arrow, at once.
    await member(page, 'one.png').getByRole('checkbox').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByText('one.png is at 2 of 3.').waitFor({ state: 'attached' });
    await orderIs(id, [two, one, three]);
    // And again: the focus went along.
    await page.keyboard.press('Alt+ArrowRight');
    await orderIs(id, [two, three, one]);

    // Picked up, moved, put back; picked up, moved, left there.
    await member(page, 'one.png').getByRole('button', { name: 'Move one.png' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('one.png is picked up at 3 of 3.').waitFor({ state: 'attached' });
    await page.keyboard.press('Home');
    await page.keyboard.press('Escape');
    await page.getByText('It is back where it was.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByText('one.png stays at 1 of 3.').waitFor({ state: 'attached' });
    await orderIs(id, [one, two, three]);

    await member(page, 'two.png').getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await press('Take out');
    await page.getByText('1 taken out.').waitFor();
    await orderIs(id, [one, three]);

    await press('Edit');
    await page.getByLabel('Name').focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' 2024');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Harbour 2024' }).waitFor();

    const parent = await collections.make({ name: 'Places' });
    await page.reload();
    await item(page, 'Places').waitFor();
    await press('Move');
    await dialog.getByRole('radio', { name: 'Places' }).focus();
    await page.keyboard.press('Space');
    await press('Move here');
    await page.getByText('“Harbour 2024” is in “Places” now.').waitFor();
    expect((await collections.get(id)).parent_id).to.equal(parent);

    // The tree has the keys of a tree.
    await page.getByRole('treeitem', { name: 'Harbour 2024', level: 2 }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[role=treeitem]:focus', { hasText: 'Places' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('treeitem', { name: 'Places', expanded: false }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'Places', expanded: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=treeitem]:focus', { hasText: 'Harbour 2024' }).waitFor();
    await page.keyboard.press('Enter');
    await press('Trash');
    await press('Put into the trash');
    await page.getByText('“Harbour 2024” is in the trash.').waitFor();
    expect((await collections.get(id)).state).to.equal('trashed');
    await press('Undo');
    await page.getByRole('heading', { name: 'Harbour 2024' }).waitFor();
    expect((await collections.get(id)).state).to.equal('available');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('is put in order, and into another one, by dragging', async () => {
    const outer = await collections.make({ name: 'Outer' });
    const members = ids.map(imageRef);
    const id = await collections.make({ name: 'Dragged', members });
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await member(page, 'four.png').waitFor();
    await member(page, 'four.png').dragTo(member(page, 'one.png'), {
      targetPosition: { x: 5, y: 30 },
    });
    const [one, two, three, four] = ids as [string, string, string, string];
    await orderIs(id, [four, one, two, three]);
    await item(page, 'Dragged').dragTo(item(page, 'Outer'));
    await page.getByText('“Dragged” is in “Outer” now.').waitFor();
    expect((await collections.get(id)).parent_id).to.equal(outer);
    // Not into what is inside of it.
    await item(page, 'Outer').dragTo(item(page, 'Dragged'));
    expect((await collections.get(outer)).parent_id).to.equal(null);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows what a query finds while it is written, and reads it out afterwards', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, '/collections');
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByLabel('Name').fill('Twos');
    await page.getByLabel('found by a query').check();
    await page.getByText('It finds 4 images now.').waitFor();
    await page.getByLabel('With all of these tags').fill('two,');
    await page.getByText('It finds 1 image now.').waitFor();
    expect(await seriousFindings(page)).to.deep.equal([]);
    // Typed and not ended: the press that leaves the field takes it, and hits the button it is on.
    await page.getByLabel('With none of these tags').pressSequentially('three');
    const create = page.getByRole('button', { name: 'Create' });
    await create.scrollIntoViewIfNeeded();
    const box = (await create.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 2);
    await page.mouse.down();
    await untilDrawn(page);
    await page.mouse.up();
    await page.getByText('It finds its images by itself: Tagged two').waitFor();
    await member(page, 'two.png').waitFor();
    expect(await page.getByRole('button', { name: 'Move two.png' }).count()).to.equal(0);
    const browse = page.getByRole('link', { name: 'Open in Browse' });
    expect(await browse.getAttribute('href')).to.equal('/portal/library?tag=two&tag=-three');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows what is uploaded into it, when it is there', async () => {
    const id = await collections.make({ name: 'Filled' });
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await page.getByText('There is nothing in it').waitFor();
    await page.getByRole('button', { name: 'Upload' }).click();
    const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') };
    await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(note);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await page.getByText('Stored in “Filled”.').waitFor();
    await member(page, 'note.txt').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('tells of another one’s change rather than write over it', async () => {
    const id = await collections.make({ name: 'Shared' });
    const tab = await openTab(browser, { expected: [412] });
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await collections.patch(id, { name: 'Changed meanwhile' });
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this collection').waitFor();
    await page.getByRole('button', { name: 'Show it as it is now' }).click();
    await page.getByRole('heading', { name: 'Changed meanwhile' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows hostile names and stays legible', async () => {
    const parent_id = await collections.make({ name: hostile.at(-1) });
    const id = await collections.make({
      ...{ name: hostile.slice(0, 5).join(' '), description: hostile.join('\n'), parent_id },
      members: ids.slice(0, 2).map(imageRef),
    });
    const tab = await openTab(browser);
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await member(page, 'two.png').waitFor();
    expect(await illegible(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Move', exact: true }).first().click();
    expect(await illegible(page)).to.deep.equal([]);
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
