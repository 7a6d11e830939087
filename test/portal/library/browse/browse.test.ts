import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Tenant, type TestApi, useSharedApi } from '../../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../../support/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { addImages } from '../../../support/library.ts';
import { quarteredPicture } from '../../../support/pictures.ts';
import { bornDigitalPdf } from '../../../support/samples.ts';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '\u202egpj.exe\u202c',
  'x'.repeat(300),
  '"><script>alert(2)</script>',
];

const scrollOf = (page: Page) => page.evaluate('window.scrollY') as Promise<number>;

describeInBrowser('the portal’s Browse', () => {
  let api: TestApi;
  /** 450 images in this project; the other has none. */
  before(async () => {
    api = await useSharedApi();
    await addImages(
      api,
      api,
      Array.from({ length: 450 }, (_, at) => ({
        title: hostile[at] ?? `Picture ${at}`,
        filename: `picture-${at}.jpg`,
        tags: [at < 4 ? hostile[at]!.slice(0, 100) : 'plain', ...(at % 2 ? ['odd'] : ['even'])],
        orientation: at % 3 ? 'landscape' : 'portrait',
        created_at: new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString(),
      })),
    );
  });

  const open = async (
    path = '/library?show=images',
    options = {},
    tenant: Tenant = api,
  ): Promise<Tab> => {
    const tab = await openTab(options);
    await logIn(tab, api.url, tenant, path);
    return tab;
  };

  it('shows the exact number of images and renders only visible rows', async () => {
    const tab = await open();
    await tab.page.getByText('450 images', { exact: true }).waitFor();
    const cells = tab.page.getByRole('gridcell');
    await cells.getByText('Picture 5', { exact: true }).waitFor();
    expect(await cells.count()).to.be.below(80);
    await cells.first().focus();
    await tab.page.keyboard.press('End');
    await tab.page.getByText('Picture 449', { exact: true }).waitFor();
    expect(await cells.count()).to.be.below(80);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keeps filters and scroll position in the history', async () => {
    const tab = await open();
    const { page } = tab;
    await page.getByRole('button', { name: /^odd \d/ }).click();
    await page.getByText('223 images', { exact: true }).or(page.getByText('225 images')).waitFor();
    await page.getByRole('gridcell').nth(6).hover();
    await page.mouse.wheel(0, 3_000);
    // Stored once the page stops scrolling.
    const kept = () => page.evaluate('history.state?.scroll');
    await eventually(async () => {
      const y = await scrollOf(page);
      return y > 1_000 && (await kept()) === y;
    });
    const scrolled = await scrollOf(page);
    await page.mouse.click(700, 500);
    await page.waitForURL(/\/images\/img_.*tag=odd/);
    await page.goBack();
    await page.getByText('Tagged odd').waitFor();
    await eventually(async () => expect(await scrollOf(page)).closeTo(scrolled, 1));
    await page.reload();
    await eventually(async () => expect(await scrollOf(page)).closeTo(scrolled, 1));
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('450 images', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('Tagged odd').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('distinguishes an empty library from a search without results', async () => {
    const tab = await open('/library?show=images', {}, api.other);
    await tab.page.getByRole('heading', { name: 'No images yet' }).waitFor();
    await tab.page.getByLabel('Search the library').fill('nothing');
    await tab.page.getByRole('heading', { name: 'No matching images' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('tags all results across pages, and asks again if their number has changed', async () => {
    const tab = await open('/library?show=images&tag=even', { expected: [409] });
    const { page } = tab;
    await page.getByText('225 images', { exact: true }).waitFor();
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Select all 225' }).click();
    await page.getByRole('button', { name: 'Add tags' }).click();
    await page.getByLabel('Tags to add', { exact: true }).fill('reviewed');
    // Another client adds one in the meantime.
    const [late] = await addImages(api, api, [{ title: 'Late', tags: ['even'] }]);
    await page.getByRole('button', { name: 'Add to 225 items' }).click();
    await page.getByText('The number of matches changed from 225 to 226.').waitFor();
    await page.getByRole('button', { name: 'Continue with 226' }).click();
    await page.getByRole('button', { name: 'Add to 226 items' }).click();
    await page.getByText('Tags added to 226 items.').waitFor();
    const found = await api.call('GET', '/v1/images?tag=reviewed&limit=1&include=total');
    expect(found.json.total).to.equal(226);
    expect((await api.call('DELETE', `/v1/images/${late}`)).status).to.equal(204);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('moves the selected items to trash and restores them', async () => {
    const tab = await open('/library?show=images&q=%22Picture+101%22');
    const { page } = tab;
    await page.getByText('1 image', { exact: true }).waitFor();
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('Picture 101 moved to trash.').waitFor();
    await page.getByRole('heading', { name: 'No matching images' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 image', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('offers no changes to a read-only key', async () => {
    const tab = await open('/library?show=images', {}, await api.issue(['images:read']));
    await tab.page.getByText('450 images', { exact: true }).waitFor();
    expect(await tab.page.getByRole('checkbox').count()).to.equal(0);
    expect(await tab.page.getByRole('button', { name: 'Upload' }).count()).to.equal(0);
    await tab.page.getByRole('gridcell').first().focus();
    await tab.page.keyboard.press('Space');
    expect(await tab.page.getByRole('region', { name: 'Selection' }).count()).to.equal(0);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('marks a damaged image', async () => {
    const { other } = api;
    await addImages(api, other, [{ title: 'Broken', filename: 'broken.jpg' }]);
    await api.rows(
      `UPDATE image SET error = '{"code":"damaged","message":"Damaged.","retryable":false}'
       WHERE title = 'Broken' AND project_id = $1`,
      [other.projectId],
    );
    const tab = await open('/library?show=images', {}, other);
    await tab.page.getByRole('gridcell', { name: 'Damaged' }).getByText('Broken').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('ticks exactly what is selected, by click, Shift-click and keyboard', async () => {
    const tab = await open('/library?show=images&q=Picture');
    const { page } = tab;
    await page.getByText('450 images', { exact: true }).waitFor();
    const box = (at: number) => page.locator(`[data-index="${at}"]`).getByRole('checkbox');
    const isSelected = async (...wanted: number[]): Promise<void> => {
      await eventually(async () => {
        const shown = await page.evaluate(`['input:checked', '[aria-selected=true]'].map((marked) =>
          [...document.querySelectorAll('.browse-grid ' + marked)].map((found) =>
            Number(found.closest('[data-index]').dataset.index)))`);
        expect(shown).to.deep.equal([wanted, wanted]);
        return true;
      }, 15_000);
    };
    await box(2).click();
    await isSelected(2);
    await box(2).click();
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
    await isSelected();
    await box(2).click();
    await box(5).click({ modifiers: ['Shift'] });
    await isSelected(2, 3, 4, 5);
    // Within a range that is selected already.
    await box(4).click({ modifiers: ['Shift'] });
    await box(7).click();
    await isSelected(2, 3, 4, 5, 7);
    // The box that was clicked has the focus.
    await page.keyboard.press('Space');
    await isSelected(2, 3, 4, 5);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await isSelected(2, 3, 4, 5, 8);
    await page.keyboard.press('Shift+ArrowRight');
    await isSelected(2, 3, 4, 5, 8, 9);
    await page.getByRole('button', { name: 'Select all 450' }).click();
    await page.getByText('All 450 selected').first().waitFor();
    await box(3).click();
    await page.getByText('49 of 450 selected').first().waitFor();
    expect(await box(3).isChecked()).to.equal(false);
    expect(await box(4).isChecked()).to.equal(true);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await isSelected();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('selects by dragging a rectangle, which opens nothing', async () => {
    const tab = await open('/library?show=images&q=Picture');
    const { page } = tab;
    await page.getByText('450 images', { exact: true }).waitFor();
    const boxOf = async (at: number) => (await page.locator(`[data-index="${at}"]`).boundingBox())!;
    // Below the pictures and names, which are dragged themselves.
    const start = ({ x, y, width, height }: Awaited<ReturnType<typeof boxOf>>) =>
      page.mouse.move(x + width / 2, y + height - 10);
    const columns = Number(await page.getByRole('grid').getAttribute('aria-colcount'));
    const drag = async (from: number, to: number): Promise<void> => {
      const [one, other] = [await boxOf(from), await boxOf(to)];
      await start(one);
      await page.mouse.down();
      await page.mouse.move(other.x + other.width / 2, other.y + other.height / 2, { steps: 4 });
      await page.locator('.browse-band').waitFor();
      await page.mouse.up();
      await page.locator('.browse-band').waitFor({ state: 'detached' });
    };
    const isSelected = (wanted: number[]): Promise<boolean> =>
      eventually(async () => {
        const shown =
          await page.evaluate(`[...document.querySelectorAll('.browse-grid input:checked')]
          .map((box) => Number(box.closest('[data-index]').dataset.index))`);
        expect(shown).to.deep.equal(wanted);
        return true;
      }, 15_000);
    await drag(columns + 1, 0);
    await isSelected([0, 1, columns, columns + 1]);
    await drag(1, 2);
    await isSelected([1, 2]);
    await page.keyboard.down('Shift');
    await drag(columns, columns + 1);
    await page.keyboard.up('Shift');
    await isSelected([1, 2, columns, columns + 1]);
    expect(new URL(page.url()).pathname).to.equal('/portal/library');
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('counts what the server counts after items were moved to trash', async () => {
    const { other } = api;
    const given = (title: string) => ({ title, tags: ['counted'] });
    await addImages(api, other, ['One', 'Two', 'Three'].map(given));
    const tab = await open('/library?show=images&tag=counted', {}, other);
    const { page } = tab;
    await page.getByText('3 images', { exact: true }).waitFor();
    // Only the server knows of these, so the count below is its answer.
    await addImages(api, other, ['Four', 'Five'].map(given));
    await page.getByRole('checkbox', { name: 'Select Two' }).click();
    await page.getByRole('button', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('4 images', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('shows the facets of an upload once it is processed', async () => {
    const { other } = api;
    const tab = await open('/library?show=images', {}, other);
    const { page } = tab;
    const buffer = await quarteredPicture(20, 10).png().toBuffer();
    await upload(page, { name: 'wide.png', mimeType: 'image/png', buffer });
    await page.getByRole('gridcell').getByText('wide.png').waitFor();
    await page.getByRole('button', { name: 'PNG 1' }).waitFor();
    // As a worker does.
    await api.rows(
      `UPDATE image SET processing = false, width = 20, height = 10, orientation = 'landscape'
       FROM object o WHERE o.id = object_id AND o.filename = 'wide.png'
         AND o.project_id = $1`,
      [other.projectId],
    );
    await page.getByRole('button', { name: 'Landscape 1' }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('says where uploads are that are not images', async () => {
    await addImages(api, api.other, [{ title: 'Told', tags: ['told'] }]);
    const tab = await open('/library?show=images&tag=told', {}, api.other);
    const { page } = tab;
    await page.getByRole('gridcell').first().waitFor();
    const top = (): Promise<unknown> =>
      page.evaluate(`document.querySelector('.browse-grid').getBoundingClientRect().top`);
    const before = await top();
    const buffer = await bornDigitalPdf([['Harbour dues']]);
    await upload(page, { name: 'dues.pdf', mimeType: 'application/pdf', buffer });
    const notice = page.getByText('1 file of another kind was uploaded.');
    await notice.waitFor();
    // A drag or a click that begins now ends where it was aimed at.
    expect(await top()).to.equal(before);
    await page.getByRole('link', { name: 'Show all', exact: true }).click();
    await page.getByRole('gridcell').getByText('dues.pdf').waitFor();
    await notice.waitFor({ state: 'detached' });
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});

/** Uploads a file in the portal's form. */
async function upload(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Upload' });
  await dialog.locator('input[type=file]').first().setInputFiles(file);
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
}
