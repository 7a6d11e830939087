import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of axe-core that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Returns the serious and critical findings of axe-core, one line each. */
export function seriousFindings(page: Page): Promise<string[]> {
  return findingsOf(page, { type: 'tag', values: standards });
}

/** The same in both themes, which differ in nothing but colours. Leaves the page in the light one. */
export async function seriousFindingsInThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await seriousFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findingsOf(page, { type: 'rule', values: colourRules });
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
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    interface Axe {
      run(options: object): Promise<{ violations: Violation[] }>;
      getRules(): { ruleId: string }[];
      utils: { getRule(id: string): { impact: string } };
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    // The impact of what a rule finds is the rule's.
    const minorRules = axe
      .getRules()
      .filter(({ ruleId }) => ['minor', 'moderate'].includes(axe.utils.getRule(ruleId).impact));
    const { violations } = await axe.run({
      runOnly,
      // A selector is made of each element that is reported, and most pass.
      resultTypes: ['violations'],
      rules: {
        ...Object.fromEntries(minorRules.map(({ ruleId }) => [ruleId, { enabled: false }])),
        // Experimental, so not among the standards by default.
        'label-content-name-mismatch': { enabled: runOnly.type === 'tag' },
      },
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
