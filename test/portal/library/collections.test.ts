import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab, untilDrawn } from '../../support/browser.ts';
import { createCollectionClient, imageRef } from '../../support/collections.ts';
import { eventually } from '../../support/eventually.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { uploadImage } from '../../support/images.ts';
import { findLegibilityFaults } from '../../support/legible.ts';

/** Presses three arrow keys with Alt, each in the first task after the one before. */
const moveThrice = `(async () => {
  const { port1, port2 } = new MessageChannel();
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowRight']) {
    const pressed = new KeyboardEvent('keydown', { key, altKey: true, bubbles: true });
    document.activeElement.dispatchEvent(pressed);
    await new Promise((next) => {
      port1.onmessage = next;
      port2.postMessage(null);
    });
  }
})()`;

const item = (page: Page, name: string) => page.getByRole('treeitem', { name });
const member = (page: Page, name: string) => page.getByRole('gridcell').filter({ hasText: name });

/** Whether the button that submits the dialog is in the window, and nothing covers it. */
const submitIsOnTop = `(() => {
  const button = document.querySelector('dialog [type=submit]');
  const { left, top, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})()`;

describeInBrowser('collections in the portal', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  const ids: string[] = [];
  before(async () => {
    api = await useSharedApi();
    collections = createCollectionClient(api);
    for (const name of ['one', 'two', 'three', 'four']) {
      const { id } = await uploadImage(api, `${name}.png`, [name]);
      ids.push(id);
    }
  });

  const orderIs = (id: string, wanted: string[]) =>
    eventually(async () => {
      const order = await collections.memberIds(id);
      return JSON.stringify(order) === JSON.stringify(wanted);
    });

  it('are created, filled, ordered, renamed, moved and trashed by keyboard alone', async () => {
    const tab = await openTab();
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
    expect(await collections.memberIds(id)).to.deep.equal([one, two, three]);

    // Alt and an arrow key move it immediately.
    await member(page, 'one.png').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByText('one.png: position 2 of 3.').waitFor({ state: 'attached' });
    await orderIs(id, [two, one, three]);
    // And again, each key in the first task after the one before: focus moves with it.
    await page.evaluate(moveThrice);
    await orderIs(id, [two, three, one]);

    await page.keyboard.press('Alt+Home');
    await page.getByText('one.png: position 1 of 3.').waitFor({ state: 'attached' });
    await orderIs(id, [one, two, three]);

    await member(page, 'two.png').focus();
    await page.keyboard.press('Space');
    await press('Remove');
    await page.getByText('1 member removed from the collection.').waitFor();
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
    await press('More actions');
    await press('Move');
    await dialog.getByRole('radio', { name: 'Places' }).focus();
    await page.keyboard.press('Space');
    await press('Move here');
    await page.getByText('“Harbour 2024” moved to “Places”.').waitFor();
    expect((await collections.get(id)).parent_id).to.equal(parent);

    // The tree supports the standard keys.
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
    await press('More actions');
    await press('Move to trash');
    await dialog.getByText('You can restore the collection for 30 days.').waitFor();
    await press('Move to trash');
    await page.getByText('“Harbour 2024” moved to trash.').waitFor();
    expect((await collections.get(id)).state).to.equal('trashed');
    await press('Undo');
    await page.getByRole('heading', { name: 'Harbour 2024' }).waitFor();
    expect((await collections.get(id)).state).to.equal('available');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('are ordered and moved by dragging', async () => {
    const outer = await collections.make({ name: 'Outer' });
    const members = ids.map(imageRef);
    const id = await collections.make({ name: 'Dragged', members });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await member(page, 'four.png').waitFor();
    await member(page, 'four.png').dragTo(member(page, 'one.png'), {
      targetPosition: { x: 5, y: 30 },
    });
    const [one, two, three, four] = ids as [string, string, string, string];
    await orderIs(id, [four, one, two, three]);
    await item(page, 'Dragged').dragTo(item(page, 'Outer'));
    await page.getByText('“Dragged” moved to “Outer”.').waitFor();
    expect((await collections.get(id)).parent_id).to.equal(outer);
    // A collection cannot move into its own descendant.
    await item(page, 'Outer').dragTo(item(page, 'Dragged'));
    expect((await collections.get(outer)).parent_id).to.equal(null);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('preview a query while it is edited, and show it afterwards', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/collections');
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByLabel('Name').fill('Twos');
    await page.getByLabel('Smart').check();
    await page.getByText('4 matching images').waitFor();
    await page.getByLabel('All of these tags').fill('two,');
    await page.getByText('1 matching image').waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    // A tag typed but not confirmed is added by the click, which still hits its button.
    await page.getByLabel('None of these tags').pressSequentially('three');
    const create = page.getByRole('button', { name: 'Create' });
    await create.scrollIntoViewIfNeeded();
    const box = (await create.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 2);
    await page.mouse.down();
    await untilDrawn(page);
    await page.mouse.up();
    await page.getByText('Query: Tagged two').waitFor();
    await member(page, 'two.png').waitFor();
    // Its order is that of the query.
    expect(await page.locator('[data-index][draggable=true]').count()).to.equal(0);
    const browse = page.getByRole('link', { name: 'Open in Browse' });
    expect(await browse.getAttribute('href')).to.equal(
      '/portal/library?tag=two&tag=-three&show=images',
    );
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('show uploads once they are stored', async () => {
    const id = await collections.make({ name: 'Filled' });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await page.getByText('No members').waitFor();
    await page.getByRole('button', { name: 'Upload' }).click();
    const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') };
    await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(note);
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await page.getByText('Uploaded to “Filled”.').waitFor();
    await member(page, 'note.txt').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('report conflicting changes instead of overwriting them', async () => {
    const id = await collections.make({ name: 'Shared' });
    const tab = await openTab({ expected: [412] });
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await collections.patch(id, { name: 'Changed meanwhile' });
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This collection was changed after you opened it').waitFor();
    await page.getByRole('button', { name: 'Reload collection' }).click();
    await page.getByRole('heading', { name: 'Changed meanwhile' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('save their name although members change meanwhile', async () => {
    const id = await collections.make({ name: 'Growing' });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await collections.add(id, imageRef(ids[0]!));
    await page.getByRole('textbox', { name: 'Name' }).fill('Grown');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Grown' }).waitFor();
    await member(page, 'one.png').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('show hostile names as text, and have a menu and a dialog that are legible to all', async () => {
    const parent_id = await collections.make({ name: hostileTexts.at(-1) });
    const id = await collections.make({
      name: hostileTexts.slice(0, 5).join(' '),
      description: hostileTexts.join('\n'),
      parent_id,
      members: ids.slice(0, 2).map(imageRef),
    });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, `/collections/${id}`);
    await member(page, 'two.png').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    await page
      .getByRole('dialog', { name: 'More actions' })
      .getByRole('button', { name: 'Move', exact: true })
      .click();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    expect(await page.evaluate('window.ran')).to.equal(undefined);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keep the button that creates a smart collection in sight', async () => {
    const tab = await openTab({ width: 1280, height: 900 });
    const { page } = tab;
    await logIn(tab, api.url, api, '/collections');
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByLabel('Smart').check();
    await page.getByText('4 matching images').waitFor();
    await eventually(() => page.evaluate(submitIsOnTop), 15_000);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('are shown as cards with their covers, at the top and inside one another', async () => {
    const parent = await collections.make({ name: 'Coast', members: [imageRef(ids[0]!)] });
    await collections.make({
      name: 'Cliffs',
      parent_id: parent,
      kind: 'smart',
      query: { tag: ['two'] },
    });
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/collections');
    const cards = page.getByRole('list', { name: 'Collections at the top level' });
    const card = cards.getByRole('link', { name: 'Coast 1 member · 1 collection' });
    await card.click();
    await page.getByRole('heading', { name: 'Coast' }).waitFor();
    await page
      .getByRole('list', { name: 'Collections inside this one' })
      .getByRole('link', { name: 'Cliffs Smart' })
      .click();
    await page.getByRole('heading', { name: 'Cliffs' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('can still be searched once there are few, and report how many matches are not listed', async () => {
    const { other } = api;
    for (let number = 1; number <= 8; number += 1) {
      const body = { name: `Pier ${number}` };
      await api.call('POST', '/v1/collections', { ...other, body });
    }
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, other, '/collections');
    const search = page.getByLabel('Find by name');
    await search.fill('Pier 8');
    await page.getByRole('button', { name: 'Pier 8' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).last().click();
    await page.getByText('No matching collections').waitFor();
    await search.fill('');
    await item(page, 'Pier 7').waitFor();
    expect(await search.count()).to.equal(0);

    for (let number = 10; number <= 60; number += 1) {
      const body = { name: `Quay ${number}` };
      await api.call('POST', '/v1/collections', { ...other, body });
    }
    await page.reload();
    await search.fill('quay');
    await page.getByText('Showing the first 50 of 51 matches.').waitFor();
    expect(await page.getByRole('button', { name: 'Quay' }).count()).to.equal(50);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('are not reported as missing if they could not be loaded', async () => {
    await collections.make({ name: 'Loaded later' });
    const tab = await openTab({ expected: [503] });
    const { page } = tab;
    const lists = /\/v1\/collections\?/;
    await page.route(lists, (route) => route.fulfill({ status: 503 }));
    await logIn(tab, api.url, api, '/collections');
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('No collections yet').count()).to.equal(0);
    await page.unroute(lists);
    await page.getByRole('button', { name: 'Try again' }).click();
    await item(page, 'Loaded later').waitFor();

    // The same in the dialog that chooses one.
    await page.route(lists, (route) => route.fulfill({ status: 503 }));
    await page.goto(`${api.url}/portal/library`);
    await page.getByRole('checkbox', { name: 'Select one.png' }).click();
    await page.getByRole('button', { name: 'Add to collection' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByText('No matching collections').count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
