import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { Tab } from './browser.ts';
import { shiftsOf } from './layout-shifts.ts';

/** The maxima for a journey. */
interface InteractionCounts {
  /** Clicks, drops, and choices in a list that is opened by a click. */
  clicks: number;
  /** Keys besides those that write a text. */
  keys?: number;
  /** Texts that are written. */
  texts?: number;
}

/** How far the layout may move by itself. Of the Core Web Vitals, 0.1 is "good". */
const maxShift = 0.05;

/** What a person does in a tab, counted. What is shown meanwhile must not move by itself. */
export class Journey {
  readonly page: Page;
  clicks = 0;
  keys = 0;
  texts = 0;

  constructor(private readonly tab: Tab) {
    this.page = tab.page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async button(name: string | RegExp): Promise<void> {
    await this.click(this.page.getByRole('button', { name, exact: true }));
  }

  async link(name: string | RegExp): Promise<void> {
    await this.click(this.page.getByRole('link', { name, exact: true }));
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  /** Writes into a field; one that does not have the focus is clicked first. */
  async write(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    const hasFocus = await field.evaluate((one) => one === one.ownerDocument.activeElement);
    if (!hasFocus) await this.click(field);
    this.texts += 1;
    await field.selectText();
    await field.pressSequentially(text);
  }

  /** Opens a list and chooses an option. */
  async choose(field: Locator, option: string | { label: string }): Promise<void> {
    this.clicks += 2;
    await field.selectOption(option);
  }

  /** Drops files on the screen. */
  async drop(...files: readonly { name: string; type: string; bytes: Buffer }[]): Promise<void> {
    this.clicks += 1;
    const contents = files.map(({ name, type, bytes }) => [name, type, bytes.toString('base64')]);
    const data = await this.page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const [name, type, text] of ${JSON.stringify(contents)}) {
        const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      return transfer;
    })()`);
    await this.page.locator('.upload-target').dispatchEvent('drop', { dataTransfer: data });
  }

  /** Checks what it took, that nothing moved, and that nothing went wrong. */
  async end({ clicks, keys = 0, texts = 0 }: InteractionCounts): Promise<void> {
    const { sum, shifts } = await shiftsOf(this.page);
    expect(sum, JSON.stringify(shifts)).to.be.below(maxShift);
    const actual = { clicks: this.clicks, keys: this.keys, texts: this.texts };
    expect(actual).to.deep.equal({ clicks, keys, texts });
    expect(this.tab.faults).to.deep.equal([]);
    await this.tab.close();
  }
}
