import { readFile } from 'node:fs/promises';
import { type StaticFile, staticFile } from '../downloads/static-files.ts';
import type { Json } from '../openapi/json.ts';
import { html } from './html.ts';
import { createLayout } from './layout.ts';
import { errorsPage } from './pages/errors.ts';
import { eventTypesPage } from './pages/event-types.ts';
import { referencePages } from './pages/reference.ts';
import { startPage } from './pages/start.ts';
import { webhookPage } from './pages/webhook-messages.ts';

export interface Site {
  files: Map<string, StaticFile>;
  /** The page for a path that has none. */
  missing: StaticFile;
}

/** Every page and file under /docs, by path. */
export async function buildSite(document: Json): Promise<Site> {
  const files = new Map<string, StaticFile>();
  const asset = async (name: string, type: string, ...parts: string[]): Promise<string> => {
    const read = parts.map((part) => readFile(new URL(part, import.meta.url), 'utf8'));
    const file = await staticFile(type, (await Promise.all(read)).join('\n'), true);
    const [stem, ending] = name.split('.');
    const path = `/docs/assets/${stem}.${file.etag.slice(1, -1)}.${ending}`;
    files.set(path, file);
    return path;
  };
  const assets = {
    // The portal's colours and type, so that both look like one thing.
    css: await asset(
      'docs.css',
      'text/css; charset=utf-8',
      '../../portal/styles/tokens.css',
      'assets/docs.css',
    ),
    js: await asset('docs.js', 'text/javascript; charset=utf-8', 'assets/docs.js'),
    icon: await asset('icon.svg', 'image/svg+xml', 'assets/icon.svg'),
  };
  const frame = createLayout(document, assets);
  const pages = [
    startPage(document),
    errorsPage(document),
    eventTypesPage(document),
    webhookPage(document),
    ...referencePages(document),
  ];
  for (const page of pages) files.set(page.path, await staticFile(htmlType, frame(page)));
  files.set('/docs/openapi.json', await staticFile('application/json', JSON.stringify(document)));
  const content = html`<h1>There is no such page</h1><p>What is here stands under Contents; <a href="/docs">the start</a> says where to begin.</p>`;
  const missing = frame({ path: '', title: 'No such page', content });
  return { files, missing: await staticFile(htmlType, missing) };
}

const htmlType = 'text/html; charset=utf-8';
