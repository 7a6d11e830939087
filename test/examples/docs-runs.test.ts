import { type Guides, openGuides, pagesOfShell, requireSuccess } from './guides.ts';
import { pagesWith } from './pages.ts';

/** All pages; docs.test.ts runs the README only. */
describe('commands and snippets in the documentation, run', () => {
  let guides: Guides;
  before(async () => {
    guides = await openGuides();
  });
  after(() => guides.close());

  for (const page of pagesOfShell()) {
    it(`in a shell: ${page}`, async function () {
      requireSuccess(await guides.runInShell(page), this);
    });
  }
  for (const page of pagesWith('ts')) {
    it(`in TypeScript: ${page}`, async function () {
      requireSuccess(await guides.runTypeScript(page), this);
    });
  }
  for (const page of [...pagesWith('python'), 'clients/python/README.md']) {
    it(`in Python: ${page}`, async function () {
      requireSuccess(await guides.runPython(page), this);
    });
  }
});
