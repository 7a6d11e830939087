import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Json } from '../openapi/json.ts';
import { html } from './html.ts';
import { createLayout } from './layout.ts';
import { errorsPage } from './pages/errors.ts';
import { eventTypesPage } from './pages/event-types.ts';
import { referencePages } from './pages/reference.ts';
import { startPage } from './pages/start.ts';
import { webhookPage } from './pages/webhook-messages.ts';

/** What is answered at a path. */
export interface SiteFile {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
  /** Its name changes with its contents. */
  isAsset: boolean;
}

export interface Site {
  files: Map<string, SiteFile>;
  /** The page for a path that has none. */
  missing: SiteFile;
}

/** Every page and file under /docs, by path. */
export async function buildSite(document: Json): Promise<Site> {
  const files = new Map<string, SiteFile>();
  const asset = async (name: string, type: string, ...parts: string[]): Promise<string> => {
    const read = parts.map((part) => readFile(new URL(part, import.meta.url), 'utf8'));
    const file = await fileOf(type, (await Promise.all(read)).join('\n'), true);
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
  for (const page of pages) files.set(page.path, await fileOf(htmlType, frame(page)));
  files.set('/docs/openapi.json', await fileOf('application/json', JSON.stringify(document)));
  const content = html`<h1>There is no such page</h1><p>What is here stands under Contents; <a href="/docs">the start</a> says where to begin.</p>`;
  const missing = frame({ path: '', title: 'No such page', content });
  return { files, missing: await fileOf(htmlType, missing) };
}

const htmlType = 'text/html; charset=utf-8';

async function fileOf(type: string, text: string, isAsset = false): Promise<SiteFile> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return { type, bytes, gzipped: await promisify(gzip)(bytes), etag: `"${hash}"`, isAsset };
}
