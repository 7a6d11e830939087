import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Disposable,
  type Locator,
  type Page,
  type ViewportSize,
} from 'playwright-core';
import type { Tenant } from './api.ts';
import { findChromium, hasChromium } from './chromium.ts';
import { stopAfterRun } from './services.ts';

/**
 * A suite in a real browser, whose tabs are closed after it. Skipped, and named so, where script/test
 * could not provide one.
 */
export function describeInBrowser(name: string, suite: (this: Mocha.Suite) => void): void {
  if (!hasChromium()) {
    describe.skip(`${name} (no Chromium here)`, suite);
    return;
  }
  describe(name, function () {
    after(closeTabs);
    suite.call(this);
  });
}

let sharedBrowser: Promise<Browser> | undefined;

/** The browser of the whole run: to start one costs as much as a test. */
export function startBrowser(): Promise<Browser> {
  sharedBrowser ??= launchBrowser();
  return sharedBrowser;
}

async function launchBrowser(): Promise<Browser> {
  const installed = await findChromium();
  if (!installed) throw new Error('No Chromium here: script/test fetches one.');
  const browser = await chromium.launch({
    executablePath: installed.path,
    env: { ...process.env, ...installed.env },
    // Nothing but our own pages is opened, and a sandbox is not to be had everywhere.
    chromiumSandbox: false,
    // One that ends is reported at once.
    timeout: 300_000,
    args: ['--disable-gpu', '--force-color-profile=srgb', '--font-render-hinting=none'],
  });
  // After a crash, the next suite starts another.
  browser.once('disconnected', () => {
    sharedBrowser = undefined;
    idlePages.length = 0;
  });
  stopAfterRun(() => browser.close());
  return browser;
}

/** A tab, with all that went wrong in it. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Errors of the console, uncaught exceptions, reports of the content policy. */
  faults: string[];
  /** Runs a script at the start of each page that the tab opens, until it is closed. */
  onEachPage(script: string): Promise<void>;
  close(): Promise<void>;
}

interface TabOptions {
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** 2 shows the page as a browser at 200 % does: half the pixels each way. */
  zoom?: number;
  /** Of a phone: fingers, no pointer that hovers. */
  touch?: boolean;
  /** Whether it runs in a separate process, with nothing loaded before. */
  newProcess?: boolean;
  /** Answers of these statuses are meant: the console's lines on them are no faults. */
  expected?: readonly number[];
}

/** A page with a separate context, for one tab after the other. */
interface ReusedPage {
  page: Page;
  context: BrowserContext;
  session: CDPSession;
  /** Called for each fault of the tab that is open in it. */
  report: (fault: string) => void;
  expected: readonly number[];
  scripts: Disposable[];
  /** Called with the first page that the next tab opens. */
  begin: () => void;
}

/** Those of closed tabs: the portal opens in a third of the time where it has been open before. */
const idlePages: ReusedPage[] = [];
const openTabs = new Set<Tab>();
let tabCount = 0;

const permissions = ['clipboard-read', 'clipboard-write'];
/** The events that tests listen to. */
const testEvents = [
  'request',
  'response',
  'requestfinished',
  'requestfailed',
  'download',
  'dialog',
];
const pageContentUrl = /(?:\/pages\/\d+\/(?:image|text)|\/l\/[^/]+\/files\/[^/]+\/preview)(?:\?|$)/;

/**
 * Opens a tab without cookies, storage and history state. It may be one that was closed, and shows until its first
 * `goto` what that one showed last.
 */
export async function openTab(options: TabOptions = {}): Promise<Tab> {
  const { theme = 'light', width = 1280, height = 900, zoom = 1, touch = false } = options;
  const { newProcess: fresh = false, expected = [] } = options;
  const viewport = { width: Math.round(width / zoom), height: Math.round(height / zoom) };
  const isReusable = zoom === 1 && !touch && !fresh;
  const reused = (isReusable && idlePages.pop()) || (await openPage({ zoom, touch, viewport }));
  const { page, context, scripts } = reused;
  const faults: string[] = [];
  reused.begin = () => {
    reused.report = (fault) => faults.push(fault);
    reused.expected = expected;
  };
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: theme });
  const onEachPage = async (script: string) =>
    void scripts.push(await context.addInitScript(script));
  tabCount += 1;
  await onEachPage(`if (origin !== 'null' && localStorage.getItem('tab') !== '${tabCount}') {
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, '');
    localStorage.setItem('tab', '${tabCount}');
  }`);
  const tab: Tab = {
    page,
    context,
    faults,
    onEachPage,
    close: async () => {
      openTabs.delete(tab);
      reused.report = () => undefined;
      if (isReusable && (await resetPage(reused))) idlePages.push(reused);
      else await context.close();
    },
  };
  openTabs.add(tab);
  return tab;
}

/** Closes the tabs that a suite has left open. */
async function closeTabs(): Promise<void> {
  await Promise.all([...openTabs].map((tab) => tab.close()));
}

async function openPage({
  zoom,
  touch,
  viewport,
}: {
  zoom: number;
  touch: boolean;
  viewport: ViewportSize;
}): Promise<ReusedPage> {
  const context = await (await startBrowser()).newContext({
    viewport,
    deviceScaleFactor: zoom,
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: 'reduce',
    permissions,
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  // Not what a test counts on: a step may wait for a job while several suites share the machine.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const noop = (): void => undefined;
  const reused: ReusedPage = {
    page,
    context,
    session: await context.newCDPSession(page),
    report: noop,
    expected: [],
    scripts: [],
    begin: noop,
  };
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) reused.begin();
  });
  page.on('pageerror', (error) => reused.report(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error') return;
    const status = /the server responded with a status of (\d+)/.exec(text)?.[1];
    // The question whether there is a session is answered with 401 before the login, and one for a
    // page with 409 while no worker has drawn it.
    const isLate = status === '409' && pageContentUrl.test(message.location().url);
    const isExpected = status !== undefined && [401, ...reused.expected].includes(Number(status));
    if (!isExpected && !isLate) reused.report(`console: ${text} (${message.location().url})`);
  });
  await context.exposeFunction('reportPolicy', (text: string) => reused.report(`policy: ${text}`));
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportPolicy(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`);
  return reused;
}

/** Takes back what a test may have done to a page. @returns whether another may use it */
async function resetPage({ page, context, session, scripts }: ReusedPage): Promise<boolean> {
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const kind of testEvents) page.removeAllListeners(kind);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const script of scripts.splice(0)) await script.dispose();
    await context.clearCookies();
    await context.clearPermissions();
    await context.grantPermissions(permissions);
    // Data that scripts store is cleared when the next tab opens a page.
    const { origin, protocol } = new URL(page.url());
    if (protocol !== 'http:') return false;
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'file_systems' });
    await page.mouse.move(0, 0);
    return true;
  } catch {
    return false;
  }
}

/** Fills in the form of the login at `path` and sends it. */
export async function sendLogin({ page }: Tab, url: string, tenant: Tenant, path = '/') {
  await page.goto(`${url}/portal${path}`);
  await page.getByLabel('Project').fill(tenant.projectId);
  await page.getByLabel('API key').fill(tenant.key);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Begins a session without the form, which costs a page more, and waits for the screen at `path`. */
export async function logIn(tab: Tab, url: string, tenant: Tenant, path = '/'): Promise<void> {
  const response = await tab.context.request.post(`${url}/portal/session`, {
    headers: {
      authorization: `Bearer ${tenant.key}`,
      'x-service-project-id': tenant.projectId,
    },
  });
  if (!response.ok())
    throw new Error(`The login answered ${response.status()}: ${await response.text()}`);
  await tab.page.goto(`${url}/portal${path}`);
  await tab.page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
}

/**
 * Opens a screen in a tab that shows the portal, as a link does, which costs half as much as to load the
 * page again. Nothing of the screen before is left.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    history.pushState(null, '', '/portal/no-screen');
    await new Promise((next) => setTimeout(next));
    history.replaceState(null, '', ${JSON.stringify(`/portal${path}`)});
  })()`);
}

/** Holds back streams of events that a page opens. @returns what lets them go, then and later ones */
export async function holdEventStreams(page: Page): Promise<() => Promise<void>> {
  const waiting: (() => Promise<void>)[] = [];
  const streams = '**/v1/events/stream*';
  await page.route(streams, (route) => void waiting.push(() => route.continue()));
  return async () => {
    await Promise.all(waiting.map((release) => release()));
    await page.unroute(streams);
  };
}

/** Sets a filter of the bar, by the label of a choice or by text for its field. */
export async function setFilter(
  page: Page,
  title: string,
  value: { choose: string } | { fill: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const menu = page.getByRole('dialog', { name: 'Add a filter' });
  await menu.getByRole('button', { name: title, exact: true }).click();
  const editor = page.getByRole('dialog', { name: title, exact: true });
  if ('choose' in value) {
    await editor.getByRole('button', { name: value.choose, exact: true }).click();
    return;
  }
  await editor.getByLabel(title, { exact: true }).fill(value.fill);
  await page.keyboard.press('Enter');
}

/** The row of a table with the link to a resource. */
export const rowOf = (page: Page, id: string): Locator =>
  page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) });

/**
 * Waits until the page has been drawn again: what measures itself to choose its layout hears of a new
 * size with the next frame, and draws in the one after.
 */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
  );
}

/** Whether the page itself, once drawn, scrolls sideways; tables and code may, within their frames. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  await untilDrawn(page);
  return page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
  ) as Promise<boolean>;
}
