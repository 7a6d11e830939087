import { writeFile } from 'node:fs/promises';
import { inParallel } from '../../../contracts/in-parallel.ts';
import { finalFailure } from '../../../engines/errors.ts';
import type { Check, PlannedPage, RemovalReport } from '../../../engines/index.ts';
import { writePlans } from '../../../engines/redact/plans.ts';
import { OperationFailed } from '../../operation-failed.ts';
import type { StepWork } from '../../operation-work.ts';
import { callOf, fileOf } from '../calls.ts';

type Work = StepWork<'redact_pii'>;

/** How many pages are looked at at once: one job need not have all children to itself. */
export const pagesAtOnce = 4;
/** What a document may take, whatever its length, and each of its pages on top. */
const redactMs = { document: 120_000, page: 5_000 };
const checkFileMs = { document: 120_000, page: 2_000 };
const checkPageMs = 180_000;

/** A redacted file whose checks have all passed. */
export interface Proof {
  path: string;
  report: RemovalReport;
  /** The pages as they went in, in their order. */
  planned: PlannedPage[];
  checks: Check[];
  /** Pages that were made empty since they failed these checks. */
  unproven: Map<number, string[]>;
}

/**
 * Redacts the pages of a PDF or picture and looks with other eyes at what was made. A page whose check
 * fails is made empty, and all is done and looked at once more.
 * @param mime of what is made
 * @throws OperationFailed when the file as a whole does not pass, or no page would be left
 */
export async function redactAndProve(
  work: Work,
  planned: PlannedPage[],
  mime: string,
): Promise<Proof> {
  const first = await redactOnce(work, planned, mime);
  if (first.failing.size === 0) return { ...first, planned, unproven: first.failing };
  const reduced = planned.map((plan) =>
    first.failing.has(plan.page) ? emptyPage(plan.page, plan) : plan,
  );
  if (reduced.every(({ state }) => state === 'failed')) throw notProven(first.failing);
  const second = await redactOnce(work, reduced, mime);
  if (second.failing.size > 0) throw notProven(second.failing);
  return { ...second, planned: reduced, unproven: first.failing };
}

/** In place of a page that must not be copied. */
export function emptyPage(
  page: number,
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
): PlannedPage {
  return { state: 'failed', page, widthPt, heightPt };
}

/** The operation ends without an output: what it made still shows what it should not, or may. */
function notProven(failing: Map<number, string[]>): OperationFailed {
  return unverified([...failing.values()].flat());
}

/** Says which checks failed, and nothing of what they saw. */
export function unverified(names: readonly string[]): OperationFailed {
  const failed = [...new Set(names)].sort().join(', ');
  return new OperationFailed({
    code: 'redaction_not_verified',
    message: `What was redacted did not pass these checks, and was thrown away: ${failed}.`,
    retryable: false,
  });
}

interface Round {
  path: string;
  report: RemovalReport;
  checks: Check[];
  /** Source pages that failed, with the names of the checks. */
  failing: Map<number, string[]>;
}

async function redactOnce(work: Work, planned: PlannedPage[], mime: string): Promise<Round> {
  const { engines, source, options, signal } = work;
  const [path, plansFile, reportFile] = [
    await work.newFile(),
    await work.newFile(),
    await work.newFile(),
  ];
  await writePlans(plansFile, planned);
  const within = ({ document, page }: { document: number; page: number }) =>
    callOf(source, document + page * planned.length, signal);
  const report = await engines.redactPages(
    { ...fileOf(source), plansFile, style: options.style, outPath: path },
    within(redactMs),
  );
  requireAllPages(planned, report);
  await writeFile(reportFile, JSON.stringify(withSeen(report, planned)));
  const perPage = await inParallel(report.pages, pagesAtOnce, ({ outputPage }) =>
    surely('page', outputPage, () =>
      engines.checkPage(
        { path, mime, reportFile, outputPage },
        callOf(source, checkPageMs, signal),
      ),
    ),
  );
  const ofFile = await surely('file', null, () =>
    engines.checkFile({ path, mime, reportFile }, within(checkFileMs)),
  );
  const checks = [...perPage.flat(), ...ofFile];
  return { path, report, checks, failing: failingPages(checks, report) };
}

/** The report, with where each page was read: what was not is looked at by the checks. */
function withSeen(report: RemovalReport, planned: readonly PlannedPage[]): RemovalReport {
  const pages = report.pages.map((page, at) => {
    const plan = planned[at];
    return plan?.state === 'planned' && plan.seen ? { ...page, seen: plan.seen } : page;
  });
  return { ...report, pages };
}

/** Every page that was asked for is there, in its place, and nothing else. */
function requireAllPages(planned: readonly PlannedPage[], { pages }: RemovalReport): void {
  const whole =
    pages.length === planned.length &&
    pages.every(({ page, outputPage, treatment }, at) => {
      const plan = planned[at]!;
      const known = plan.state === 'planned' || treatment === 'empty';
      return page === plan.page && outputPage === at + 1 && known;
    });
  if (!whole) throw unverified(['pages']);
}

/**
 * What a look found. One that could not be taken, or found nothing to say, counts as failed: only what
 * is known to be clean is. What is the machine's fault is thrown, and all of it tried again later.
 */
async function surely(
  what: 'page' | 'file',
  outputPage: number | null,
  look: () => Promise<Check[]>,
): Promise<Check[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const checks = await look();
      if (checks.length > 0) return placed(checks, outputPage);
      return placed([failedLook(what, 'Nothing was looked at.')], outputPage);
    } catch (error) {
      const told = finalFailure(error, true);
      if (!told) throw error;
      if (told.retryable && tries === 1) continue;
      return placed([failedLook(what, told.message)], outputPage);
    }
  }
}

function failedLook(what: 'page' | 'file', detail: string): Check {
  return { name: `look_at_${what}`, passed: false, detail, pages: [] };
}

/** What fails in a look at one page has failed on that page. */
function placed(checks: Check[], outputPage: number | null): Check[] {
  if (outputPage === null) return checks;
  return checks.map((check) => (check.passed ? check : { ...check, pages: [outputPage] }));
}

/** @throws OperationFailed when something failed that no page answers for */
function failingPages(checks: readonly Check[], { pages }: RemovalReport): Map<number, string[]> {
  const failed = checks.filter(({ passed }) => !passed);
  const ofFile = failed.filter((check) => check.pages.length === 0);
  if (ofFile.length > 0) throw unverified(ofFile.map(({ name }) => name));
  const failing = new Map<number, string[]>();
  for (const check of failed) {
    for (const outputPage of check.pages) {
      const found = pages.find((page) => page.outputPage === outputPage);
      if (!found) throw unverified([check.name]);
      failing.set(found.page, [...(failing.get(found.page) ?? []), check.name]);
    }
  }
  return failing;
}
