import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { addImages } from '../../support/library.ts';

/** Where an outline goes along half the world or more in one step: only at the pole. */
function widestSteps(path: string): number[] {
  return path
    .split('M')
    .slice(1)
    .flatMap((ring) => {
      const [from = '', steps = ''] = ring.replace('z', '').split('l');
      let y = Number(from.split(' ')[1]);
      const numbers = steps.split(' ').map(Number);
      return numbers.flatMap((step, at) => {
        if (at % 2 === 0) return [];
        y += step;
        return Math.abs(numbers[at - 1] ?? 0) >= 1_800 ? [y] : [];
      });
    });
}

describeInBrowser('the portal’s map', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
    await addImages(api, api, [
      { filename: 'gate.jpg', location: [52.5163, 13.3777] },
      { filename: 'tower.jpg', location: [52.5208, 13.4094] },
      { filename: 'hamburg.jpg', location: [53.5413, 9.9841] },
      { filename: 'opera.jpg', location: [-33.8568, 151.2153] },
      { filename: 'nowhere.jpg' },
    ]);
  });

  const places = (page: Page) =>
    page.getByRole('region', { name: 'Map of places' }).getByRole('link');
  const counts = (page: Page, wanted: string[]) =>
    eventually(async () =>
      expect((await places(page).allTextContents()).toSorted()).to.deep.equal(wanted),
    );

  it('shows where images were taken, and leads to those of a place', async () => {
    // The images of this test have no renditions.
    const tab = await openTab({ expected: [404, 409] });
    const { page } = tab;
    await logIn(tab, api.url, api, '/library');
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByText('4 images with a place', { exact: true }).waitFor();
    await counts(page, ['1', '3']);
    // The outline is drawn, and a place is where it is in the world.
    const land = (await page.locator('.map-frame path').getAttribute('d')) ?? '';
    expect(land.length).to.be.greaterThan(5_000);
    expect(widestSteps(land).filter((y) => y !== 1_800)).to.deep.equal([]);
    const frame = (await page.locator('.map-frame').boundingBox())!;
    const sydney = (await page.getByLabel('1 image near Sydney').boundingBox())!;
    expect((sydney.x + sydney.width / 2 - frame.x) / frame.width).to.be.closeTo(331.2 / 360, 0.01);
    await page.getByLabel(/^3 images near 52/).click();
    await page.getByText('3 images', { exact: true }).waitFor();
    expect((await page.locator('.browse-name').allTextContents()).toSorted()).to.deep.equal([
      'gate.jpg',
      'hamburg.jpg',
      'tower.jpg',
    ]);
    const kinds = page.getByRole('navigation', { name: 'Kind' });
    await kinds.getByRole('link', { name: 'All' }).click();
    await page.getByText('3 items', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove filter In an area of the map' }).click();
    await page.getByText('5 items', { exact: true }).waitFor();
    // Of a single place, the filter and the details have its name.
    await page.goto(`${api.url}/portal/library/map`);
    await page.getByLabel('1 image near Sydney').click();
    await page.getByRole('button', { name: 'Remove filter Near Sydney' }).waitFor();
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('v');
    await page.locator('dialog.lightbox').getByText('Near Sydney').waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('is moved and zoomed by keys, buttons and pointer', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logIn(tab, api.url, api, '/library/map');
    await counts(page, ['1', '3']);
    const map = page.getByRole('group', { name: /^World/ });
    const view = () => page.locator('.map-frame svg').getAttribute('viewBox');
    const whole = await view();
    await map.focus();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await counts(page, ['3']);
    const zoomed = await view();
    expect(zoomed).not.to.equal(whole);
    const box = (await map.boundingBox())!;
    await page.mouse.move(box.x + 50, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 250, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => expect(await view()).not.to.equal(zoomed));
    await page.getByRole('button', { name: 'Whole world' }).click();
    await counts(page, ['1', '3']);
    expect(await view()).to.equal(whole);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('says so if no image has a place', async () => {
    const tab = await openTab();
    await logIn(tab, api.url, api.other, '/library/map');
    await tab.page.getByText('No image has a place', { exact: true }).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
