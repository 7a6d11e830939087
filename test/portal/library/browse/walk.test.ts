import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type TestApi, useSharedApi } from '../../../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab } from '../../../support/browser.ts';
import { createCollectionClient } from '../../../support/collections.ts';
import { eventually } from '../../../support/eventually.ts';
import { quarteredPicture } from '../../../support/pictures.ts';
import { createPick } from '../../../support/random.ts';
import { filePart, formField, multipartForm, postForm } from '../../../support/uploads.ts';

interface File {
  name: string;
  kind: 'Images' | 'Text';
  tags: Set<string>;
  /** The name of its source. */
  from?: string;
  trashed: boolean;
}

interface Undo {
  what: 'trash' | 'collect';
  names: string[];
}

/** What the screen must show. */
interface Shown {
  count: string;
  names: string[];
  ticked: string[];
  selected: string | null;
  tags: Record<string, number>;
}

/**
 * By default, few enough for every run. For long walks along other ways:
 * `WALK_STEPS=500 WALK_SEED=7 npx mocha test/portal/library/browse/walk.test.ts`
 */
const steps = Number(process.env.WALK_STEPS ?? 80);
const seed = Number(process.env.WALK_SEED ?? 20);
const layouts = ['Grid', 'Justified', 'List'];
const collection = 'Harbour';
/** The page keeps this many messages. */
const maxMessages = 3;
const nouns = { All: 'item', Images: 'image', Text: 'text file' };

/** What is true of the library, whatever the screen shows. */
class Model {
  files: File[] = [];
  kind: keyof typeof nouns = 'All';
  tags: string[] = [];
  ticked = new Set<string>();
  /** In the collection, in the trash or not. */
  members = new Set<string>();
  /** The newest messages: what Undo takes back, or null. */
  messages: (Undo | null)[] = [];

  say(message: Undo | null): void {
    // Of those that offer Undo, only the newest stays.
    const earlier = message ? this.messages.filter((one) => one === null) : this.messages;
    this.messages = [...earlier, message].slice(-maxMessages);
  }

  /** What the last button named Undo takes back. */
  get lastUndo(): Undo | undefined {
    return this.messages.findLast((one) => one !== null) ?? undefined;
  }

  get collected(): string[] {
    const live = this.files.filter(({ name, trashed }) => !trashed && this.members.has(name));
    return live.map(({ name }) => name).sort();
  }

  get results(): File[] {
    const matching = this.files.filter(
      ({ kind, tags, trashed }) =>
        !trashed &&
        (this.kind === 'All' || kind === this.kind) &&
        this.tags.every((tag) => tags.has(tag)),
    );
    if (this.kind === 'Images') return matching;
    const names = new Set(matching.map(({ name }) => name));
    return matching.filter(({ from }) => from === undefined || !names.has(from));
  }

  get shown(): Shown {
    const { results } = this;
    const tags: Record<string, number> = {};
    for (const tag of results.flatMap((file) => [...file.tags])) tags[tag] = (tags[tag] ?? 0) + 1;
    const noun = nouns[this.kind];
    return {
      count: `${results.length} ${noun}${results.length === 1 ? '' : 's'}`,
      names: results.map(({ name }) => name).sort(),
      ticked: [...this.ticked].sort(),
      selected: this.ticked.size === 0 ? null : `${this.ticked.size} of ${results.length} selected`,
      tags,
    };
  }
}

// Run by the browser: what the page shows, in the shape of `Shown`.
const look = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (element) => element?.textContent ?? null;
  const rows = all('.browse-grid [data-index]').filter((tile) => tile.offsetParent);
  const nameOf = (row) => text(row.querySelector('.browse-name'));
  return {
    count: text(document.querySelector('.browse-count')),
    names: rows.map(nameOf).sort(),
    ticked: rows.filter((row) => row.querySelector('input:checked')).map(nameOf).sort(),
    selected: text(document.querySelector('.browse-bulk strong')),
    tags: Object.fromEntries(all('.browse-line .browse-choice').map((choice) =>
      [text(choice.querySelector('.browse-label')), Number(text(choice.lastElementChild))])
      // One that is selected is shown even if nothing matches it.
      .filter(([, count]) => count > 0)),
  };
})()`;

describeInBrowser('a random walk through the library', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
  });

  const model = new Model();
  let collectionId: string;
  const isCollected = (): Promise<boolean> =>
    eventually(async () => {
      const path = `/v1/collections/${collectionId}/members?include=resource&limit=100`;
      const { json } = await api.call('GET', path);
      const names = json.data.map(
        (one: { resource: { filename: string } }) => one.resource.filename,
      );
      expect(names.sort()).to.deep.equal(model.collected);
      return true;
    }, 30_000);
  const add = async (name: string, tags: string[], from?: string): Promise<void> => {
    const isImage = name.endsWith('.png');
    const bytes = isImage
      ? await quarteredPicture(20 + model.files.length, 10)
          .png()
          .toBuffer()
      : `This is ${name}.`;
    const fields = tags.map((tag) => formField('tags', tag));
    const { json } = await postForm(api, multipartForm(filePart(bytes, name), ...fields));
    const file: File = {
      name,
      kind: isImage ? 'Images' : 'Text',
      tags: new Set(tags),
      trashed: false,
    };
    if (from !== undefined) {
      file.from = from;
      await api.rows(
        `UPDATE object SET derived_from = (
           SELECT id FROM object WHERE filename = $2 AND project_id = $3) WHERE id = $1`,
        [json.id, from, api.projectId],
      );
    }
    model.files.push(file);
  };

  it('shows ticks, counts and facets that are true after every action', async function () {
    this.timeout(steps * 4_000);
    for (const at of [1, 2, 3, 4]) await add(`picture-${at}.png`, at % 2 ? ['red'] : []);
    for (const at of [1, 2, 3, 4, 5]) await add(`note-${at}.txt`, at % 2 ? ['blue'] : ['red']);
    await add('note-1-redacted.txt', ['blue'], 'note-1.txt');
    await add('picture-1-text.txt', [], 'picture-1.png');
    // A second change of tags has the version from before the first: it is made again with the new one.
    const tab = await openTab({ width: 1280, height: 1600, expected: [412] });
    await tab.onEachPage(
      `localStorage.getItem('library-view') ?? localStorage.setItem('library-view', 'list compact')`,
    );
    collectionId = await createCollectionClient(api).make({ name: collection });
    await logIn(tab, api.url, api, '/library?sort=filename');
    await walk(tab);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  async function walk({ page }: Tab): Promise<void> {
    const pick = createPick(seed);
    const done: string[] = [];
    for (let step = 0; step < steps; step++) {
      await isTrue(page, done);
      const { name, run } = actions(page)[pick(actions(page).length)]!;
      done.push(name);
      await run(pick);
    }
    await isTrue(page, done);
    expect(new Set(done.map((name) => name.split(' ')[0])).size).to.be.at.least(7);
  }

  async function isTrue(page: Page, done: readonly string[]): Promise<void> {
    let seen: unknown;
    try {
      await eventually(async () => {
        seen = await page.evaluate(look);
        expect(seen).to.deep.equal(model.shown);
        return true;
      }, 30_000);
    } catch {
      expect(seen, done.slice(-6).join(', ')).to.deep.equal(model.shown);
    }
  }

  /** What a person could do now. */
  function actions(page: Page) {
    const { results, ticked } = model;
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const found: { name: string; run: (pick: (below: number) => number) => Promise<void> }[] = [];
    const may = (
      name: string,
      weight: number,
      run: (pick: (below: number) => number) => Promise<void>,
    ): void => {
      for (let at = 0; at < weight; at++) found.push({ name, run });
    };
    const tick = async (name: string): Promise<void> => {
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
      if (!ticked.delete(name)) ticked.add(name);
    };
    if (results.length > 0) {
      may('tick', 6, (pick) => tick(results[pick(results.length)]!.name));
    }
    may('kind', 2, async (pick) => {
      const kind = (Object.keys(nouns) as (keyof typeof nouns)[])[pick(3)]!;
      const link = page.getByRole('navigation', { name: 'Kind' }).getByRole('link', { name: kind });
      await link.click();
      if (kind !== model.kind) ticked.clear();
      model.kind = kind;
    });
    const facets = Object.keys(model.shown.tags);
    if (facets.length > 0) {
      may('filter', 2, async (pick) => {
        const tag = facets[pick(facets.length)]!;
        await button(new RegExp(`^${tag} \\d+$`)).click();
        model.tags = model.tags.includes(tag)
          ? model.tags.filter((one) => one !== tag)
          : [...model.tags, tag];
        ticked.clear();
      });
    }
    if (model.tags.length > 0) {
      may('unfilter', 1, async () => {
        await button('Clear all').click();
        model.tags = [];
        if (model.kind === 'Text') model.kind = 'All';
        ticked.clear();
      });
    }
    if (ticked.size > 0) {
      may('clear', 1, async () => {
        await button('Clear selection').click();
        ticked.clear();
      });
      may('tag', 2, async (pick) => {
        const tag = ['red', 'blue', 'green'][pick(3)]!;
        await retag(page, 'Add', tag);
      });
      may('untag', 2, async (pick) => {
        const tag = ['red', 'blue', 'green'][pick(3)]!;
        await retag(page, 'Remove', tag);
        if (model.tags.length > 0) ticked.clear();
      });
      may('trash', 2, async () => {
        await button('Trash').click();
        await button('Move to trash').click();
        for (const file of model.files) if (ticked.has(file.name)) file.trashed = true;
        model.say({ what: 'trash', names: [...ticked] });
        ticked.clear();
      });
      may('collect', 2, async () => {
        await button('Add to collection').click();
        await page.getByLabel('Collection', { exact: true }).fill(collection);
        await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
        const names = [...ticked].filter((one) => !model.members.has(one));
        for (const one of names) model.members.add(one);
        model.say(names.length > 0 ? { what: 'collect', names } : null);
        const items = `${names.length} item${names.length === 1 ? '' : 's'}`;
        await page.getByText(`${items} added to ${collection}.`, { exact: false }).last().waitFor();
        await isCollected();
      });
    }
    may('layout', 1, async (pick) => {
      const name = layouts[pick(layouts.length)]!;
      await button(name).click();
      await page.locator('.browse-views [aria-pressed=true]').and(button(name)).waitFor();
    });
    const last = model.lastUndo;
    if (last) {
      may('restore', 3, async () => {
        await button('Undo').last().click();
        model.messages = model.messages.filter((one) => one !== last);
        model.say(null);
        if (last.what === 'collect') {
          for (const name of last.names) model.members.delete(name);
          await page.getByText(`removed from ${collection}.`, { exact: false }).last().waitFor();
        } else {
          for (const file of model.files) if (last.names.includes(file.name)) file.trashed = false;
          ticked.clear();
          await page.getByText('restored.', { exact: false }).last().waitFor();
        }
        await isCollected();
      });
    }
    if (model.files.length < 30 && ticked.size === 0) {
      may('upload', 1, async (pick) => {
        const name = pick(2) ? `new-${model.files.length}.png` : `new-${model.files.length}.txt`;
        const kind = name.endsWith('.png') ? 'Images' : 'Text';
        const isPicture = kind === 'Images';
        await button('Upload').first().click();
        const dialog = page.getByRole('dialog', { name: 'Upload' });
        await dialog
          .locator('input[type=file]')
          .first()
          .setInputFiles({
            name,
            mimeType: isPicture ? 'image/png' : 'text/plain',
            buffer: isPicture
              ? await quarteredPicture(40 + model.files.length, 10)
                  .png()
                  .toBuffer()
              : Buffer.from(`This is ${name}.`),
          });
        await button('Upload 1 file').click();
        model.files.push({ name, kind, tags: new Set(), trashed: false });
        await eventually(async () => {
          const { json } = await api.call('GET', '/v1/objects?limit=1');
          return json.data[0]?.filename === name;
        });
        model.say(null);
        await page
          .getByRole('complementary', { name: 'Uploads' })
          .getByText('Uploaded.')
          .last()
          .waitFor();
        await page.evaluate('document.activeElement?.blur()');
      });
    }
    return found;
  }

  async function retag(page: Page, how: 'Add' | 'Remove', tag: string): Promise<void> {
    const count = model.ticked.size;
    const items = `${count} item${count === 1 ? '' : 's'}`;
    await page.getByRole('button', { name: `${how} tags`, exact: true }).click();
    const input = page.getByLabel(how === 'Add' ? 'Tags to add' : 'Tags to remove', {
      exact: true,
    });
    await input.fill(tag);
    await input.press('Enter');
    const go = how === 'Add' ? `Add to ${items}` : `Remove from ${items}`;
    await page.getByRole('button', { name: go, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    model.say(null);
    for (const file of model.files.filter(({ name }) => model.ticked.has(name))) {
      if (how === 'Add') file.tags.add(tag);
      else file.tags.delete(tag);
    }
  }
});
