import { writeFile } from 'node:fs/promises';
import { inParallel } from '@scriptorium/contracts/helpers/in-parallel';
import type { PlannedPage, RedactionCheck, RemovalReport } from '@scriptorium/documents';
import { coveredShare, grow } from '@scriptorium/documents/geometry';
import { writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { callOptionsOf, fileOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { verificationFailure } from './unverified.ts';

type Work = StepWork<'redact_pii'>;

/** Maximum number of pages checked at once, so that one job does not occupy all children. */
const maxConcurrent = 4;
/**
 * Minimum number of pages per child. Starting a child is expensive: it loads the readers, opens the
 * file and determines which fonts draw the characters that their text contains.
 */
const pagesPerChild = 6;
/** The time limit for a document, and the additional time for each of its pages. */
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

/** After this many failed outputs, pages that still fail are emptied. */
const defaultMaxRounds = 5;

interface ProofOptions {
  /**
   * Values removed from other parts of the document, which must not occur here either. Default:
   * none.
   */
  elsewhere?: RemovalReport['values'];
  maxRounds?: number;
}

/**
 * Redacts the pages of a PDF or image and checks the output independently. If a page fails a check,
 * unreadable writing on it is covered, or it becomes a picture, or it is emptied; then everything
 * is redacted and checked again.
 * @param mime the type of the output
 * @throws OperationFailed when the file as a whole fails a check, or no page would be left
 */
export async function redactAndProve(
  work: Work,
  planned: PlannedPage[],
  mime: string,
  { elsewhere = [], maxRounds = defaultMaxRounds }: ProofOptions = {},
): Promise<Proof> {
  const unproven = new Map<number, string[]>();
  let plans = planned;
  let previous: Round | undefined;
  for (let round = 1; ; round += 1) {
    const result: Round = await redactOnce(work, plans, { mime, elsewhere }, previous);
    previous = result;
    const failed = result.checks.filter(({ passed }) => !passed);
    if (failed.length === 0) return { ...result, planned: plans, unproven };
    const isLast = round >= maxRounds;
    const reduced = plans.map((plan): PlannedPage => {
      const { failing } = result;
      const pageChecks = failing.get(plan.page) ?? failing.get(wholeFile);
      if (!pageChecks || plan.state === 'failed') return plan;
      const next = isLast ? undefined : saferPlan(plan, pageChecks, mime, round);
      if (next) return next;
      // A check of the whole file does not point to a page.
      if (!failing.has(plan.page)) return plan;
      unproven.set(
        plan.page,
        pageChecks.map(({ name }) => name),
      );
      return emptyPage(plan.page, plan);
    });
    const isUnchanged = reduced.every((plan, at) => plan === plans[at]);
    const isEmpty = reduced.every(({ state }) => state === 'failed');
    if (isUnchanged || isEmpty || round > maxRounds)
      throw verificationFailure(failed.map(({ name }) => name));
    plans = reduced;
  }
}

/** The checks that read the text of a page. */
const textChecks: ReadonlySet<string> = new Set(['text_pdfium', 'text_pdfjs', 'streams']);
/**
 * Margin around covered writing, in points. It doubles each round, because the ink around a box may
 * look like writing only once the box is there.
 */
const writingMargin = 2;
/** Maximum share of a page that may be covered. Above it, nothing useful is left. */
const maxCoveredShare = 0.9;

/** A plan with fewer ways to fail; undefined if everything has been tried. */
function saferPlan(
  plan: Extract<PlannedPage, { state: 'planned' }>,
  failed: readonly RedactionCheck[],
  mime: string,
  round: number,
): PlannedPage | undefined {
  const unread = failed.flatMap((check) => check.unread ?? []);
  const safer = { ...plan };
  // The checks may read the recognised text differently; without it, the page may pass.
  if (plan.layer && failed.some(({ name }) => textChecks.has(name))) {
    const { layer: _layer, ...planWithoutLayer } = plan;
    return { ...planWithoutLayer, layerLeftOut: true };
  }
  if (unread.length > 0) {
    const margin = writingMargin * 2 ** (round - 1);
    const covered = unread.map((box) => grow(box, margin));
    safer.unreadable = [...(plan.unreadable ?? []), ...covered];
    const removed = plan.removals.flatMap(({ boxes }) => boxes);
    if (coveredShare(plan, [...safer.unreadable, ...removed]) > maxCoveredShare) return undefined;
  }
  const isOnlyUnread = failed.every((check) => (check.unread ?? []).length > 0);
  if (isOnlyUnread) return safer;
  if (plan.asPicture || mime !== 'application/pdf') return undefined;
  return { ...safer, asPicture: true };
}

/** The plan for a page that must not be copied. */
export function emptyPage(
  page: number,
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
): PlannedPage {
  return { state: 'failed', page, widthPt, heightPt };
}

interface Round {
  path: string;
  report: RemovalReport;
  /** The report given to the checks. */
  checkedReport: RemovalReport;
  checks: RedactionCheck[];
  /** The checks of each page of the output. */
  perPage: RedactionCheck[][];
  /** The failed checks of each source page, and of the whole file (`wholeFile`). */
  failing: Map<number, RedactionCheck[]>;
}

/** @param previous an output whose checks count for pages that did not change */
async function redactOnce(
  work: Work,
  planned: PlannedPage[],
  { mime, elsewhere }: { mime: string; elsewhere: RemovalReport['values'] },
  previous: Round | undefined,
): Promise<Round> {
  const { engines, source, options, signal } = work;
  const [path, plansFile, reportFile] = [
    await work.newFile(),
    await work.newFile(),
    await work.newFile(),
  ];
  await writePlans(plansFile, planned);
  const limitsFor = ({ document, page }: { document: number; page: number }) =>
    callOptionsOf(source, document + page * planned.length, signal);
  const report = await engines.redactPages(
    { ...fileOf(source), plansFile, style: options.style, box: options.box, outPath: path },
    limitsFor(redactMs),
  );
  requireAllPages(planned, report);
  const { pages } = withReadAreas(report, planned);
  const checkedReport = { pages, values: [...report.values, ...elsewhere] };
  await writeFile(reportFile, JSON.stringify(checkedReport));
  const isPdf = mime === 'application/pdf';
  const reusableChecks =
    previous && isPdf ? await readReusableChecks(work, previous, { path, checkedReport }) : [];
  const usefulChildren = Math.ceil(report.pages.length / pagesPerChild);
  const concurrency = Math.max(1, Math.min(maxConcurrent, usefulChildren));
  // The file is checked like a page, and first, because it takes longest.
  const targets = [null, ...report.pages.map(({ outputPage }) => outputPage)];
  const [ofFile, ...perPage] = await inParallel(targets, concurrency, (outputPage) => {
    if (outputPage === null) {
      return runCheck('file', null, () =>
        engines.checkFile({ path, mime, reportFile }, limitsFor(checkFileMs)),
      );
    }
    const earlierChecks = reusableChecks[outputPage - 1];
    if (earlierChecks) return Promise.resolve(earlierChecks);
    const request = { path, mime, reportFile, outputPage };
    const call = callOptionsOf(source, checkPageMs, signal);
    return runCheck('page', outputPage, () => engines.checkPage(request, call));
  });
  if (!ofFile || ofFile.length === 0) throw verificationFailure(['look_at_file']);
  const checks = [...perPage.flat(), ...ofFile];
  return {
    path,
    report,
    checkedReport,
    checks,
    perPage,
    failing: failingPages(checks, report),
  };
}

/**
 * The check results of an earlier output for pages that are unchanged in the new one, have the same
 * claims, and passed all checks; undefined for other pages. They are valid only if no additional
 * value was to be removed (`addsNoClaims`).
 */
async function readReusableChecks(
  { engines, source, signal }: Work,
  previous: Round,
  { path, checkedReport }: Pick<Round, 'path' | 'checkedReport'>,
): Promise<(RedactionCheck[] | undefined)[]> {
  if (!addsNoClaims(previous.checkedReport.values, checkedReport.values)) return [];
  const within = callOptionsOf(
    source,
    checkFileMs.document + checkFileMs.page * checkedReport.pages.length,
    signal,
  );
  const [previousDigests, digests] = [
    await engines.digestPages({ path: previous.path }, within),
    await engines.digestPages({ path }, within),
  ];
  return checkedReport.pages.map((page, at) => {
    const isPageSame = digests[at] !== undefined && digests[at] === previousDigests[at];
    const isReportSame = JSON.stringify(page) === JSON.stringify(previous.checkedReport.pages[at]);
    const checks = previous.perPage[at] ?? [];
    const hasPassed = checks.length > 0 && checks.every(({ passed }) => passed);
    return isPageSame && isReportSame && hasPassed ? checks : undefined;
  });
}

/**
 * Whether every value that is now claimed to be removed was claimed before, as when a page becomes
 * empty. A page that was free of all earlier values is then free of the current ones, because each
 * value is searched for separately.
 */
export function addsNoClaims(
  previous: RemovalReport['values'],
  current: RemovalReport['values'],
): boolean {
  const keyOf = ({ type, value }: RemovalReport['values'][number]) => JSON.stringify([type, value]);
  const previouslyHere = new Map(previous.map((claim) => [keyOf(claim), claim.here === true]));
  // A value that was only removed from its place was not searched for elsewhere.
  return current.every((claim) => {
    const wasHere = previouslyHere.get(keyOf(claim));
    return wasHere !== undefined && (!wasHere || claim.here === true);
  });
}

/** Adds to the report the areas of each page that were read or stay; the checks examine the others. */
function withReadAreas(report: RemovalReport, planned: readonly PlannedPage[]): RemovalReport {
  const pages = report.pages.map((page, at) => {
    const plan = planned[at];
    if (plan?.state !== 'planned') return page;
    const { seen, kept } = plan;
    return { ...page, ...(seen ? { seen } : {}), ...(kept ? { kept } : {}) };
  });
  return { ...report, pages };
}

/** Requires that the output contains exactly the requested pages, in order. */
function requireAllPages(planned: readonly PlannedPage[], { pages }: RemovalReport): void {
  const isComplete =
    pages.length === planned.length &&
    pages.every(({ page, outputPage, treatment }, at) => {
      const plan = planned[at]!;
      const isExpected = plan.state === 'planned' || treatment === 'empty';
      return page === plan.page && outputPage === at + 1 && isExpected;
    });
  if (!isComplete) throw verificationFailure(['pages']);
}

/**
 * Runs a check. A check that cannot run or returns no result counts as failed. Throws on faults of
 * the machine, after which the step is retried.
 */
async function runCheck(
  scope: 'page' | 'file',
  outputPage: number | null,
  check: () => Promise<RedactionCheck[]>,
): Promise<RedactionCheck[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const checks = await check();
      if (checks.length > 0) return assignToPage(checks, outputPage);
      return assignToPage([failedCheck(scope, 'The check returned no result.')], outputPage);
    } catch (error) {
      const failure = finalFailure(error, true);
      if (!failure) throw error;
      if (failure.retryable && attempt === 1) continue;
      return assignToPage([failedCheck(scope, failure.message)], outputPage);
    }
  }
}

function failedCheck(scope: 'page' | 'file', detail: string): RedactionCheck {
  return { name: `look_at_${scope}`, passed: false, detail, pages: [] };
}

/** Assigns the failed checks of a page to that page. */
function assignToPage(checks: RedactionCheck[], outputPage: number | null): RedactionCheck[] {
  if (outputPage === null) return checks;
  return checks.map((check) => (check.passed ? check : { ...check, pages: [outputPage] }));
}

/** The key of checks that apply to no page. */
const wholeFile = 0;

function failingPages(
  checks: readonly RedactionCheck[],
  { pages }: RemovalReport,
): Map<number, RedactionCheck[]> {
  const failing = new Map<number, RedactionCheck[]>();
  const add = (page: number, check: RedactionCheck): void => {
    failing.set(page, [...(failing.get(page) ?? []), check]);
  };
  for (const check of checks.filter(({ passed }) => !passed)) {
    const namedPages = pages.filter(({ outputPage }) => check.pages.includes(outputPage));
    // Also used if a check names pages that do not exist.
    if (namedPages.length === 0) add(wholeFile, check);
    for (const { page } of namedPages) add(page, check);
  }
  return failing;
}
