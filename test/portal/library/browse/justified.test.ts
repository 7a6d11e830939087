import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../../support/api.ts';
import {
  describeInBrowser,
  logIn,
  openTab,
  type Tab,
  untilDrawn,
} from '../../../support/browser.ts';
import { eventually } from '../../../support/eventually.ts';
import { observeShifts, shiftsOf } from '../../../support/layout-shifts.ts';
import { addImages } from '../../../support/library.ts';

interface Box {
  index: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Those of all tiles, within the page. */
const boxes = `[...document.querySelectorAll('.browse-grid [data-index]')].map((tile) => {
  const { left, top, width, height } = tile.getBoundingClientRect();
  return { index: Number(tile.dataset.index), left, top: top + scrollY, width, height };
}).sort((a, b) => a.index - b.index)`;

const sizes = [
  [300, 200],
  [200, 300],
  [200, 200],
  [900, 300],
  [400, 300],
  [5_000, 100],
] as const;
const ratioAt = (index: number): number => {
  const [width, height] = sizes[index % sizes.length]!;
  return Math.min(3, width / height);
};

describeInBrowser('the portal’s justified grid', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
    await addImages(
      api,
      api,
      Array.from({ length: 700 }, (_, at) => ({
        title: `Picture ${at}`,
        width: sizes[at % sizes.length]![0],
        height: sizes[at % sizes.length]![1],
        created_at: new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString(),
      })),
    );
  });

  const open = async (path: string, prepare?: (tab: Tab) => Promise<void>): Promise<Tab> => {
    const tab = await openTab();
    await tab.onEachPage(`localStorage.setItem('library-view', 'justified normal')`);
    await prepare?.(tab);
    await logIn(tab, api.url, api, path);
    return tab;
  };
  const tile = (page: Page, at: number) => page.locator(`[data-index="${at}"]`);
  /** The rows of the tiles shown, once the first of them have their pictures. */
  const rowsOf = async (page: Page): Promise<Box[][]> => {
    await tile(page, 0).getByText('Picture 0', { exact: true }).waitFor({ state: 'attached' });
    const rows = new Map<number, Box[]>();
    for (const box of (await page.evaluate(boxes)) as Box[]) {
      const top = Math.round(box.top);
      rows.set(top, [...(rows.get(top) ?? []), box]);
    }
    return [...rows.values()];
  };

  for (const kind of ['images', 'items']) {
    it(`fills the width with ${kind} of equal height in each row, uncut`, async () => {
      const tab = await open(kind === 'images' ? '/library?show=images' : '/library');
      const { page } = tab;
      await page.getByText(`700 ${kind}`, { exact: true }).waitFor();
      await eventually(async () => {
        const rows = await rowsOf(page);
        expect(rows.length).to.be.greaterThan(3);
        const width = (await page.evaluate(
          `document.querySelector('.browse-grid[role=rowgroup]').clientWidth`,
        )) as number;
        for (const row of rows) {
          const [first, last] = [row[0]!, row.at(-1)!];
          expect(last.left + last.width - first.left).to.be.closeTo(width, 1);
          for (const box of row) {
            expect(box.height).to.be.closeTo(first.height, 0.1);
            expect(box.width / box.height, `tile ${box.index}`).to.be.closeTo(
              ratioAt(box.index),
              0.02,
            );
          }
          expect(first.height).to.be.within(100, 350);
        }
        return true;
      }, 30_000);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  }

  it('moves nothing while pictures and further pages load', async () => {
    const tab = await open('/library', observeShifts);
    const { page } = tab;
    await page.getByText('700 items', { exact: true }).waitFor();
    const rows = await rowsOf(page);
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('End');
    await tile(page, 699).getByText('Picture 699', { exact: true }).waitFor({ state: 'attached' });
    // What had the focus was replaced by its picture, in its final row.
    expect(await page.evaluate('Number(document.activeElement?.dataset.index)')).to.equal(699);
    const { sum, shifts } = await shiftsOf(page);
    expect(sum, JSON.stringify(shifts)).to.be.below(0.05);
    await page.keyboard.press('Home');
    await eventually(async () => {
      const now = (await rowsOf(page)).flat();
      for (const before of rows.slice(0, -3).flat()) {
        const box = now.find(({ index }) => index === before.index)!;
        for (const side of ['left', 'top', 'width', 'height'] as const) {
          expect(box[side], `${side} of tile ${box.index}`).to.be.closeTo(before[side], 0.5);
        }
      }
      return true;
    }, 30_000);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('moves to the nearest tile of the next row, and selects by keyboard and rectangle', async () => {
    const tab = await open('/library?show=images');
    const { page } = tab;
    await page.getByText('700 images', { exact: true }).waitFor();
    const rows = await rowsOf(page);
    const middle = ({ left, width }: Box): number => left + width / 2;
    const from = rows[0]!.at(-1)!;
    const distance = (box: Box): number => Math.abs(middle(box) - middle(from));
    const below = rows[1]!.toSorted((a, b) => distance(a) - distance(b))[0]!;
    await tile(page, from.index).focus();
    await page.keyboard.press('ArrowDown');
    const focused = () =>
      page.evaluate('Number(document.activeElement?.dataset.index)') as Promise<number>;
    await eventually(async () => (await focused()) === below.index);
    const selected = (wanted: number[]) =>
      eventually(async () => {
        const shown =
          await page.evaluate(`[...document.querySelectorAll('.browse-grid input:checked')]
          .map((box) => Number(box.closest('[data-index]').dataset.index)).sort((a, b) => a - b)`);
        expect(shown).to.deep.equal(wanted);
        return true;
      }, 15_000);
    const between = (one: number, other: number) =>
      Array.from({ length: other - one + 1 }, (_, at) => one + at);
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await selected(between(below.index, below.index + 1));
    await page.keyboard.press('Escape');
    await selected([]);
    // Over the pictures themselves, with Shift.
    const end = rows.findIndex((row, at) => at > 0 && row.length > 1);
    const last = rows[end]![1]!;
    const first = rows[0]![0]!;
    const touched = rows
      .slice(0, end + 1)
      .flat()
      .filter(({ left }) => left <= last.left + 5);
    await page.keyboard.down('Shift');
    await page.mouse.move(first.left + 20, first.top + first.height / 2);
    await page.mouse.down();
    await page.mouse.move(last.left + 5, last.top + 20, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await selected(touched.map(({ index }) => index));
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('keeps what is in view when the layout or the density changes', async () => {
    const tab = await open('/library?show=images');
    const { page } = tab;
    await page.getByText('700 images', { exact: true }).waitFor();
    await tile(page, 0).focus();
    for (let at = 0; at < 8; at++) await page.keyboard.press('PageDown');
    const focused = () =>
      page.evaluate('Number(document.activeElement?.dataset.index)') as Promise<number>;
    await eventually(async () => (await focused()) > 20);
    await untilDrawn(page);
    const at = await page.evaluate(`[...document.querySelectorAll('.browse-grid [data-index]')]
      .filter((tile) => tile.getBoundingClientRect().top > 60)
      .sort((a, b) => a.dataset.index - b.dataset.index)[0].dataset.index`);
    const inView = () =>
      eventually(async () => {
        const top = (await page.evaluate(
          `document.querySelector('[data-index="${at}"]')?.getBoundingClientRect().top ?? null`,
        )) as number | null;
        expect(top).to.be.within(-50, 500);
        return true;
      }, 15_000);
    await page.getByRole('button', { name: 'Grid', exact: true }).click();
    await inView();
    await page.getByRole('button', { name: 'Justified', exact: true }).click();
    await inView();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });
});
