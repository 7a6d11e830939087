import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunningStack } from '../../../lab/embedded/running-stack.ts';
import { startStack } from '../../../lab/embedded/stack.ts';
import { logIn, openTab, startBrowser } from '../browser.ts';
import { provideChromium } from '../chromium.ts';
import { checkout } from '../run.ts';
import { type Call, type Content, createContent } from './content.ts';

const folder = join(checkout, '.data', 'screenshots');
const widths = [1440, 768, 390, 320];
const themes = ['light', 'dark'] as const;
const nameFilter = process.argv[2];

/** The path of each screen, by the name of its picture. */
const screens: Record<string, (content: Content) => string> = {
  login: () => '',
  home: () => '/',
  browse: () => '/library',
  'browse-search': () => '/library?q=harbour',
  'browse-nothing': () => '/library?q=nothingatall',
  map: () => '/library/map',
  'image-detail': ({ picture }) => `/library/images/${picture}`,
  'object-detail': ({ object }) => `/library/objects/${object}`,
  collections: () => '/collections',
  collection: ({ collection }) => `/collections/${collection}`,
  trash: () => '/trash',
  jobs: () => '/jobs',
  'job-start': ({ object }) => `/jobs/new?object=${object}`,
  job: ({ job }) => `/jobs/${job}`,
  reviews: () => '/reviews',
  'review-precision': () => '/reviews/stats',
  review: ({ review }) => `/reviews/${review}`,
  events: () => '/events',
  webhooks: () => '/webhooks',
  webhook: ({ webhook }) => `/webhooks/${webhook}`,
  keys: () => '/keys',
  audit: () => '/audit',
  policies: () => '/policies',
  policy: ({ policy }) => `/policies/${policy}`,
  docs: () => '/docs',
  'docs-objects': () => '/docs/reference/objects',
  'docs-guide': () => '/docs/guides/webhooks',
  'docs-search': () => '/docs/search?q=idempotency',
};

/** Usage: `script/screenshots [part of a name]` */
async function takeScreenshots(): Promise<void> {
  if (!(await provideChromium(console.error))) {
    throw new Error(
      'Chromium was not found, and apt is not available to install it. Install Chromium on PATH.',
    );
  }
  await mkdir(folder, { recursive: true });
  const stack =
    (await findRunningStack()) ?? (await startStack({ env: process.env, output: 'files' }));
  const { serviceUrl: url, projectId, apiKey } = stack;
  const call: Call = async <T>(
    method: string,
    path: string,
    init: Parameters<Call>[2] = {},
  ): Promise<T> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'X-Service-Project-ID': projectId,
        ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...init.headers,
      },
      ...(init.bytes ? { body: new Uint8Array(init.bytes) } : {}),
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };
  const content = await createContent(call);
  const browser = await startBrowser();
  const faults: string[] = [];
  try {
    for (const theme of themes) {
      for (const width of widths) {
        const tab = await openTab({ theme, width });
        for (const [name, path] of Object.entries(screens)) {
          if (nameFilter && !name.includes(nameFilter) && name !== 'login') continue;
          if (name === 'login') await tab.page.goto(`${url}/portal/library`);
          else {
            const screenPath = path(content);
            await tab.page.goto(
              screenPath.startsWith('/docs') ? url + screenPath : `${url}/portal${screenPath}`,
            );
          }
          await tab.page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
          const file = join(folder, `${name}-${theme}-${width}.png`);
          await tab.page.screenshot({ path: file, fullPage: width < 1440 });
          if (name === 'login') {
            await logIn(tab, url, { projectId, keyId: '', key: apiKey }, '/library');
          }
        }
        faults.push(...tab.faults);
        await tab.close();
      }
    }
  } finally {
    await browser.close();
    if (!stack.reused) await stack.stop();
  }
  for (const fault of faults) console.error(fault);
  console.log(`Pictures of ${Object.keys(screens).length} screens are in ${folder}.`);
}

await takeScreenshots();
