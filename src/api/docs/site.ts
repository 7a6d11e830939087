import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { addBasePathToText } from '../base-path.ts';
import { createStaticFile, type StaticFile } from '../downloads/static-files.ts';
import type { Json } from '../openapi/json.ts';
import { createCodeLinks } from './code-links.ts';
import { createOperationFinder } from './find-operation.ts';
import { contentsOf, type Guide, loadGuides, loadImages } from './guides/load.ts';
import { renderMarkdown } from './guides/render.ts';
import { html } from './html.ts';
import { createLayout, type DocsPage } from './layout.ts';
import { errorsPage } from './pages/errors.ts';
import { eventTypesPage } from './pages/event-types.ts';
import { renderLlmsTxt } from './pages/llms-txt.ts';
import { referencePages } from './pages/reference.ts';
import { startPage } from './pages/start.ts';
import { webhookPage } from './pages/webhook-messages.ts';
import { searchEntries } from './search/entries.ts';
import { createSearch, type SearchHit } from './search/index.ts';
import { formatResultCount, searchPage } from './search/page.ts';

export interface Site {
  files: Map<string, StaticFile>;
  /** The page for a path that does not exist. */
  missing: StaticFile;
  search(query: string): { results: SearchHit[]; summary: string };
  searchPage(query: string): Promise<StaticFile>;
  /** The page and anchor of the operation for a request, or null. */
  operationAt(method: string, path: string): string | null;
}

/** Every page and file under /docs, by path. */
export async function buildSite(document: Json, basePath: string): Promise<Site> {
  const createTextFile = (type: string, text: string, isAsset = false) =>
    createStaticFile(type, addBasePathToText(text, basePath), isAsset);
  const files = new Map<string, StaticFile>();
  const addAsset = async (name: string, type: string, ...parts: string[]): Promise<string> => {
    const reads = parts.map((part) => readFile(new URL(part, import.meta.url), 'utf8'));
    const texts = await Promise.all(reads);
    // Each script has a separate scope within the file.
    const contents = name.endsWith('.js') ? texts.map((text) => `(() => {\n${text}})();`) : texts;
    const file = await createTextFile(type, contents.join('\n'), true);
    const [stem, extension] = name.split('.');
    const path = `/docs/assets/${stem}.${file.etag.slice(1, -1)}.${extension}`;
    files.set(path, file);
    return path;
  };
  const { resolve } = createRequire(import.meta.url);
  const assets = {
    // Shares the portal's colours and fonts.
    css: await addAsset(
      'docs.css',
      'text/css; charset=utf-8',
      pathToFileURL(resolve('@scriptorium/portal/styles/tokens.css')).href,
      'assets/docs.css',
    ),
    js: await addAsset(
      'docs.js',
      'text/javascript; charset=utf-8',
      'assets/docs.js',
      'assets/tabs.js',
      'assets/spy.js',
      'assets/try.js',
    ),
    icon: await addAsset('icon.svg', 'image/svg+xml', 'assets/icon.svg'),
  };
  const guides = await loadGuides();
  const index = guides.find(({ path }) => path === '/docs')!;
  const renderPage = createLayout(document, assets, contentsOf(index));
  const hrefOfCode = createCodeLinks(document);
  const renderGuide = ({ file, path, title, root }: Guide): DocsPage => ({
    path,
    title,
    content: html`<article>${renderMarkdown(root, { file, hrefOfCode })}</article>`,
  });
  const pages = [
    startPage(document, renderGuide(index)),
    ...guides.filter((guide) => guide !== index).map(renderGuide),
    errorsPage(document),
    eventTypesPage(document),
    webhookPage(document),
    ...referencePages(document),
  ];
  for (const page of pages) files.set(page.path, await createTextFile(htmlType, renderPage(page)));
  for (const { path, bytes } of await loadImages()) {
    files.set(
      path,
      await createStaticFile(path.endsWith('.svg') ? 'image/svg+xml' : 'image/png', bytes),
    );
  }
  files.set(
    '/docs/openapi.json',
    await createStaticFile('application/json', JSON.stringify(document)),
  );
  const llmsTxt = renderLlmsTxt(contentsOf(index));
  files.set('/docs/llms.txt', await createTextFile('text/plain; charset=utf-8', llmsTxt));
  const skill = await readFile(new URL('assets/SKILL.md', import.meta.url), 'utf8');
  files.set('/docs/SKILL.md', await createTextFile('text/markdown; charset=utf-8', skill));
  const content = html`<h1>Page not found</h1><p>Use the contents or the search, or go back to <a href="/docs">the start page</a>.</p>`;
  const notFoundHtml = renderPage({ path: '', title: 'Page not found', content });
  const search = createSearch(searchEntries(guides, document));
  return {
    files,
    missing: await createTextFile(htmlType, notFoundHtml),
    search: (query) => {
      const results = search(query);
      return { results, summary: formatResultCount(results) };
    },
    operationAt: createOperationFinder(document),
    searchPage: (query) => createTextFile(htmlType, renderPage(searchPage(query, search(query)))),
  };
}

const htmlType = 'text/html; charset=utf-8';
