import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { belowBase } from '../base-path.ts';
import { type StaticFile, staticFile } from '../downloads/static-files.ts';
import type { Json } from '../openapi/json.ts';
import { codeLinks } from './code-links.ts';
import { operationFinder } from './find-operation.ts';
import { contentsOf, type Guide, loadGuides, loadImages } from './guides/load.ts';
import { renderMarkdown } from './guides/render.ts';
import { html } from './html.ts';
import { createLayout, type DocsPage } from './layout.ts';
import { errorsPage } from './pages/errors.ts';
import { eventTypesPage } from './pages/event-types.ts';
import { referencePages } from './pages/reference.ts';
import { startPage } from './pages/start.ts';
import { webhookPage } from './pages/webhook-messages.ts';
import { searchEntries } from './search/entries.ts';
import { createSearch, type SearchHit } from './search/index.ts';
import { resultCount, searchPage } from './search/page.ts';

export interface Site {
  files: Map<string, StaticFile>;
  /** The page for a path that does not exist. */
  missing: StaticFile;
  search(query: string): { results: SearchHit[]; summary: string };
  searchPage(query: string): Promise<StaticFile>;
  /** The page and anchor of the operation that answers a request, or null. */
  operationAt(method: string, path: string): string | null;
}

/** Every page and file under /docs, by path. */
export async function buildSite(document: Json, basePath: string): Promise<Site> {
  const textFile = (type: string, text: string, isAsset = false) =>
    staticFile(type, belowBase(text, basePath), isAsset);
  const files = new Map<string, StaticFile>();
  const asset = async (name: string, type: string, ...parts: string[]): Promise<string> => {
    const read = parts.map((part) => readFile(new URL(part, import.meta.url), 'utf8'));
    const texts = await Promise.all(read);
    // Scripts are parts of one file, each with its own names.
    const own = name.endsWith('.js') ? texts.map((text) => `(() => {\n${text}})();`) : texts;
    const file = await textFile(type, own.join('\n'), true);
    const [stem, ending] = name.split('.');
    const path = `/docs/assets/${stem}.${file.etag.slice(1, -1)}.${ending}`;
    files.set(path, file);
    return path;
  };
  const { resolve } = createRequire(import.meta.url);
  const assets = {
    // Shares the portal's colours and fonts.
    css: await asset(
      'docs.css',
      'text/css; charset=utf-8',
      pathToFileURL(resolve('@scriptorium/portal/styles/tokens.css')).href,
      'assets/docs.css',
    ),
    js: await asset(
      'docs.js',
      'text/javascript; charset=utf-8',
      'assets/docs.js',
      'assets/tabs.js',
      'assets/spy.js',
      'assets/try.js',
    ),
    icon: await asset('icon.svg', 'image/svg+xml', 'assets/icon.svg'),
  };
  const guides = await loadGuides();
  const index = guides.find(({ path }) => path === '/docs')!;
  const frame = createLayout(document, assets, contentsOf(index));
  const hrefOfCode = codeLinks(document);
  const pageOf = ({ file, path, title, root }: Guide): DocsPage => ({
    path,
    title,
    content: html`<article>${renderMarkdown(root, { file, hrefOfCode })}</article>`,
  });
  const pages = [
    startPage(document, pageOf(index)),
    ...guides.filter((guide) => guide !== index).map(pageOf),
    errorsPage(document),
    eventTypesPage(document),
    webhookPage(document),
    ...referencePages(document),
  ];
  for (const page of pages) files.set(page.path, await textFile(htmlType, frame(page)));
  for (const { path, bytes } of await loadImages()) {
    files.set(path, await staticFile(path.endsWith('.svg') ? 'image/svg+xml' : 'image/png', bytes));
  }
  files.set('/docs/openapi.json', await staticFile('application/json', JSON.stringify(document)));
  const content = html`<h1>Page not found</h1><p>Use the contents or the search, or go back to <a href="/docs">the start page</a>.</p>`;
  const missing = frame({ path: '', title: 'Page not found', content });
  const search = createSearch(searchEntries(guides, document));
  return {
    files,
    missing: await textFile(htmlType, missing),
    search: (query) => {
      const results = search(query);
      return { results, summary: resultCount(results) };
    },
    operationAt: operationFinder(document),
    searchPage: (query) => textFile(htmlType, frame(searchPage(query, search(query)))),
  };
}

const htmlType = 'text/html; charset=utf-8';
