import { writeFile } from 'node:fs/promises';
import { inParallel } from '../../../contracts/helpers/in-parallel.ts';
import { finalFailure } from '../../../engines/errors.ts';
import type { PlannedPage, RedactionCheck, RemovalReport } from '../../../engines/index.ts';
import { writePlans } from '../../../engines/redact/contract/plan-file.ts';
import { callOf, fileOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { OperationFailed } from '../operation-failed.ts';

type Work = StepWork<'redact_pii'>;

/** How many pages are checked at once, so that one job does not occupy all children. */
const pagesAtOnce = 4;
/** The deadline for a document, and for each of its pages on top. */
const redactMs = { document: 120_000, page: 5_000 };
const checkFileMs = { document: 120_000, page: 2_000 };
const checkPageMs = 180_000;

/** A redacted file whose checks have all passed. */
export interface Proof {
  path: string;
  report: RemovalReport;
  /** The pages before the redaction, in order. */
  planned: PlannedPage[];
  checks: RedactionCheck[];
  /** Pages that were emptied because they failed these checks. */
  unproven: Map<number, string[]>;
}

/**
 * Redacts the pages of a PDF or image and checks the output independently. A page that fails a check is
 * emptied, and everything is redacted and checked once more.
 * @param mime the type of the output
 * @throws OperationFailed when the file as a whole fails a check, or no page would be left
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

/** The plan for a page that must not be copied. */
export function emptyPage(
  page: number,
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
): PlannedPage {
  return { state: 'failed', page, widthPt, heightPt };
}

/** Fails the operation: its output shows removed values, or could not be checked. */
function notProven(failing: Map<number, string[]>): OperationFailed {
  return unverified([...failing.values()].flat());
}

/** Names the checks that failed, without what they found. */
export function unverified(names: readonly string[]): OperationFailed {
  const failed = [...new Set(names)].sort().join(', ');
  return new OperationFailed({
    code: 'redaction_not_verified',
    message: `The redacted file failed these checks and was discarded: ${failed}.`,
    retryable: false,
  });
}

interface Round {
  path: string;
  report: RemovalReport;
  checks: RedactionCheck[];
  /** Source pages that failed, with the names of their failed checks. */
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

/** The report, with the areas of each page that were read: the checks look at the others. */
function withSeen(report: RemovalReport, planned: readonly PlannedPage[]): RemovalReport {
  const pages = report.pages.map((page, at) => {
    const plan = planned[at];
    return plan?.state === 'planned' && plan.seen ? { ...page, seen: plan.seen } : page;
  });
  return { ...report, pages };
}

/** Requires that the output has exactly the requested pages, in order. */
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
 * The results of a check. A check that cannot run, or that has no result, counts as failed. Faults of
 * the machine are thrown, and the step is retried later.
 */
async function surely(
  what: 'page' | 'file',
  outputPage: number | null,
  look: () => Promise<RedactionCheck[]>,
): Promise<RedactionCheck[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const checks = await look();
      if (checks.length > 0) return placed(checks, outputPage);
      return placed([failedLook(what, 'The check returned no result.')], outputPage);
    } catch (error) {
      const told = finalFailure(error, true);
      if (!told) throw error;
      if (told.retryable && tries === 1) continue;
      return placed([failedLook(what, told.message)], outputPage);
    }
  }
}

function failedLook(what: 'page' | 'file', detail: string): RedactionCheck {
  return { name: `look_at_${what}`, passed: false, detail, pages: [] };
}

/** Assigns the failed checks of a page to that page. */
function placed(checks: RedactionCheck[], outputPage: number | null): RedactionCheck[] {
  if (outputPage === null) return checks;
  return checks.map((check) => (check.passed ? check : { ...check, pages: [outputPage] }));
}

/** @throws OperationFailed when a check failed that concerns no page */
function failingPages(
  checks: readonly RedactionCheck[],
  { pages }: RemovalReport,
): Map<number, string[]> {
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
