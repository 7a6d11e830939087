import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import type { Tenant } from './api.ts';
import { findChromium, hasChromium } from './chromium.ts';
import { stopAfterRun } from './services.ts';

/** A suite in a real browser. Skipped, and named so, where script/test could not provide one. */
export function describeInBrowser(name: string, suite: (this: Mocha.Suite) => void): void {
  if (hasChromium()) describe(name, suite);
  else describe.skip(`${name} (no Chromium here)`, suite);
}

let shared: Promise<Browser> | undefined;

/** The browser of the whole run: to start one costs as much as a test. A suite ends with `closeTabs`. */
export function startBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Closes what a suite has opened. */
export async function closeTabs(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

async function launchBrowser(): Promise<Browser> {
  const found = await findChromium();
  if (!found) throw new Error('No Chromium here: script/test fetches one.');
  const browser = await chromium.launch({
    executablePath: found.path,
    env: { ...process.env, ...found.env },
    // Nothing but our own pages is opened, and a sandbox is not to be had everywhere.
    chromiumSandbox: false,
    // One that ends is reported at once.
    timeout: 300_000,
    args: ['--disable-gpu', '--force-color-profile=srgb', '--font-render-hinting=none'],
  });
  // After a crash, the next suite starts another.
  browser.once('disconnected', () => {
    shared = undefined;
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
  /** Answers of these statuses are meant: the console's lines on them are no faults. */
  expected?: readonly number[];
}

const pageOfObject = /(?:\/pages\/\d+\/(?:image|text)|\/l\/[^/]+\/files\/[^/]+\/preview)(?:\?|$)/;

export async function openTab(browser: Browser, options: TabOptions = {}): Promise<Tab> {
  const {
    theme = 'light',
    width = 1280,
    height = 900,
    zoom = 1,
    touch = false,
    expected = [],
  } = options;
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    deviceScaleFactor: zoom,
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  // Not what a test counts on: a step may wait for a job while several suites share the machine.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error') return;
    const status = /the server responded with a status of (\d+)/.exec(text)?.[1];
    // The question whether there is a session is answered with 401 before the login, and one for a
    // page with 409 while no worker has drawn it.
    const isLate = status === '409' && pageOfObject.test(message.location().url);
    const isMeant = status !== undefined && [401, ...expected].includes(Number(status));
    if (!isMeant && !isLate) faults.push(`console: ${text} (${message.location().url})`);
  });
  await context.exposeFunction('reportPolicy', (text: string) => faults.push(`policy: ${text}`));
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportPolicy(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`);
  return { page, context, faults, close: () => context.close() };
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
  const begun = await tab.context.request.post(`${url}/portal/session`, {
    headers: {
      authorization: `Bearer ${tenant.key}`,
      'x-service-project-id': tenant.projectId,
    },
  });
  if (!begun.ok()) throw new Error(`The login answered ${begun.status()}: ${await begun.text()}`);
  await tab.page.goto(`${url}/portal${path}`);
  await tab.page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
}

/** Holds back streams of events that a page opens. @returns what lets them go, then and later ones */
export async function holdStreams(page: Page): Promise<() => Promise<void>> {
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

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of axe-core that look at colours. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** What axe-core finds that is serious or critical, one line each. */
export function seriousFindings(page: Page): Promise<string[]> {
  return findingsOf(page, { type: 'tag', values: standards });
}

/** The same in both themes, which differ in nothing but colours. Leaves the page in the light one. */
export async function findingsInThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await seriousFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findingsOf(page, { type: 'rule', values: ofColours });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((one) => `dark: ${one}`)];
}

async function findingsOf(
  page: Page,
  runOnly: { type: 'tag' | 'rule'; values: readonly string[] },
): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy on scripts does not bind.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await axe);
  const violations = await page.evaluate(async (runOnly) => {
    interface Found {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    interface Axe {
      run(options: object): Promise<{ violations: Found[] }>;
      getRules(): { ruleId: string }[];
      utils: { getRule(id: string): { impact: string } };
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    // The impact of what a rule finds is the rule's.
    const weak = axe
      .getRules()
      .filter(({ ruleId }) => ['minor', 'moderate'].includes(axe.utils.getRule(ruleId).impact));
    const { violations } = await axe.run({
      runOnly,
      // A selector is made of each element that is reported, and most pass.
      resultTypes: ['violations'],
      rules: Object.fromEntries(weak.map(({ ruleId }) => [ruleId, { enabled: false }])),
      // Style sheets and media are loaded again for rules that are experimental or weak.
      preload: false,
    });
    return violations;
  }, runOnly);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}

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
