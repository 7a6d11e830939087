import { type IdKind, idPrefixes } from '@scriptorium/contracts/ids';
import type { Scope } from '@scriptorium/contracts/scopes';
import { expect } from 'chai';
import type { Response } from 'playwright-core';
import { type TestApi, useSharedApi } from '../support/api.ts';
import { describeInBrowser, logIn, openTab, type Tab, visit } from '../support/browser.ts';
import { type Fixtures, makeFixtures } from '../support/fixtures.ts';
import { watchRequests } from '../support/layout-shifts.ts';

/** What a crawl has seen: the paths it visited, and each page and response there. */
interface Seen {
  paths: string[];
  texts: { text: string; where: string }[];
}

const idInPath = new RegExp(`(${Object.values(idPrefixes).join('|')})_[0-9a-z]+`, 'g');

/** Keeps what the API answers to the portal while `visit` runs, and each page that it keeps. */
async function watch(tab: Tab, visit: (keep: () => Promise<void>) => Promise<void>): Promise<Seen> {
  const { page } = tab;
  const requests = watchRequests(tab);
  const seen: Seen = { paths: [], texts: [] };
  const bodies: Promise<void>[] = [];
  const listen = (response: Response) => {
    const path = new URL(response.url()).pathname;
    if (!path.startsWith('/portal/api/') || path.endsWith('/stream')) return;
    bodies.push(
      response.text().then(
        (text) => void seen.texts.push({ text, where: `the response to ${path}` }),
        // Redirects and requests that a change of screens aborted have no body.
        () => undefined,
      ),
    );
  };
  page.on('response', listen);
  await visit(async () => {
    await page.locator('#main :is(h1, h2)').first().waitFor();
    await requests.untilIdle();
    const { pathname, search } = new URL(page.url());
    seen.paths.push(pathname.slice('/portal'.length) + search);
    seen.texts.push({ text: await page.content(), where: `the page ${pathname}` });
  });
  page.off('response', listen);
  await Promise.all(bodies);
  return seen;
}

/** Visits every kind of screen that links lead to. */
const crawl = (tab: Tab, starts: readonly string[]): Promise<Seen> =>
  watch(tab, async (keep) => {
    const { page } = tab;
    const kinds = new Set<string>();
    const queue = [...starts];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const kind = path.replace(idInPath, '$1').replace(/\?.*/, '');
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      await visit(page, path);
      await keep();
      const links = await page.evaluate(
        `[...document.querySelectorAll('a[href^="/portal/"]')].map((link) => link.getAttribute('href'))`,
      );
      for (const href of links as string[]) {
        if (!href.startsWith('/portal/api/')) queue.push(href.slice('/portal'.length));
      }
    }
  });

/** Opens every screen of the navigation without loading the page again. */
const openScreens = (tab: Tab): Promise<Seen> =>
  watch(tab, async (keep) => {
    for (const link of await tab.page
      .locator('nav[aria-label="Portal"] a[href^="/portal"]')
      .all()) {
      await link.click();
      await keep();
    }
  });

/** Where any of some values was shown. */
const shown = ({ texts }: Seen, values: Iterable<string>): string[] =>
  [...values].flatMap((value) =>
    texts.filter(({ text }) => text.includes(value)).map(({ where }) => `${value} in ${where}`),
  );

describeInBrowser('isolation in the portal', () => {
  let api: TestApi;
  let mine: Fixtures;
  let theirs: Fixtures;
  before(async () => {
    api = await useSharedApi();
    mine = await makeFixtures(api, api);
    theirs = await makeFixtures(api, api.other);
  });

  // A page that no engine here draws, and what belongs to another project.
  const expected = [403, 404, 409, 422, 429, 503];

  it('shows nothing of the project before, in the same tab, nor under its addresses', async () => {
    const tab = await openTab({ expected });
    const { page } = tab;
    await logIn(tab, api.url, api.other);
    const past = await crawl(tab, ['/']);
    const kinds = Object.entries(theirs).filter(([, id]) => shown(past, [id]).length > 0);
    expect(kinds.map(([kind]): string => kind)).to.include.members(
      `object image collection share job review pack preset event webhook delivery policy key
      member invitation`.split(/\s+/),
    );
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();

    await logIn(tab, api.url, api);
    const foreign = [...Object.values(theirs), api.other.projectId, api.other.keyId];
    const after = await openScreens(tab);
    expect(shown(after, foreign)).to.deep.equal([]);
    expect(shown(after, [api.projectId])).to.not.deep.equal([]);

    for (const path of past.paths.filter((one) => one.search(idInPath) >= 0)) {
      const own: readonly string[] = path.match(idInPath) ?? [];
      const others = foreign.filter((id) => !own.includes(id));
      const there = await watch(tab, async (keep) => {
        await visit(page, path);
        await keep();
      });
      expect(shown(there, others), path).to.deep.equal([]);
    }
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])',
    );
    for (const value of foreign) expect(kept).to.not.include(value);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  /** What each scope alone must not show. */
  const hidden: Partial<Record<Scope, IdKind[]>> = {
    'objects:read': ['webhook', 'delivery', 'policy', 'key', 'member', 'share', 'review', 'preset'],
    'documents:read': ['webhook', 'delivery', 'policy', 'key', 'member', 'share', 'collection'],
    'webhooks:read': ['policy', 'key', 'member', 'share', 'review', 'collection', 'image'],
    'members:read': ['webhook', 'policy', 'share', 'review', 'collection', 'image', 'object'],
  };
  for (const [scope, kinds] of Object.entries(hidden)) {
    it(`shows a key with ${scope} alone nothing that other scopes read`, async () => {
      const tenant = await api.issue([scope as Scope]);
      const tab = await openTab({ expected });
      await logIn(tab, api.url, tenant);
      const seen = await crawl(tab, ['/', '/library', '/jobs', '/webhooks', '/keys']);
      const ids = kinds.flatMap((kind) => mine[kind] ?? []);
      expect(ids).to.have.length(kinds.length);
      expect(shown(seen, ids)).to.deep.equal([]);
      expect(tab.faults).to.deep.equal([]);
      await tab.close();
    });
  }
});
