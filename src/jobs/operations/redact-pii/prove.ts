import { writeFile } from 'node:fs/promises';
import { inParallel } from '@scriptorium/contracts/helpers/in-parallel';
import type { PlannedPage, RedactionCheck, RemovalReport } from '@scriptorium/documents';
import { grow } from '@scriptorium/documents/geometry';
import { writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { callOf, fileOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { unverified } from './unverified.ts';

type Work = StepWork<'redact_pii'>;

/** Maximum number of pages checked at once, so that one job does not occupy all children. */
const maxConcurrent = 4;
/**
 * Minimum number of pages for another child to be worth starting: each child loads the readers,
 * opens the file and determines which fonts draw the characters that their text contains.
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
const maxRounds = 5;

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
): Promise<Proof> {
  const unproven = new Map<number, string[]>();
  let plans = planned;
  let before: Round | undefined;
  for (let round = 1; ; round += 1) {
    const made: Round = await redactOnce(work, plans, mime, before);
    before = made;
    const failed = made.checks.filter(({ passed }) => !passed);
    if (failed.length === 0) return { ...made, planned: plans, unproven };
    const isLast = round >= maxRounds;
    const reduced = plans.map((plan): PlannedPage => {
      const { failing } = made;
      const own = failing.get(plan.page) ?? failing.get(wholeFile);
      if (!own || plan.state === 'failed') return plan;
      const next = isLast ? undefined : saferPlan(plan, own, mime);
      if (next) return next;
      // A check of the whole file does not point to a page.
      if (!failing.has(plan.page)) return plan;
      unproven.set(
        plan.page,
        own.map(({ name }) => name),
      );
      return emptyPage(plan.page, plan);
    });
    const isSame = reduced.every((plan, at) => plan === plans[at]);
    const isEmpty = reduced.every(({ state }) => state === 'failed');
    if (isSame || isEmpty || round > maxRounds) throw unverified(failed.map(({ name }) => name));
    plans = reduced;
  }
}

/** The checks that read the text of a page. */
const textChecks: ReadonlySet<string> = new Set(['text_pdfium', 'text_pdfjs', 'streams']);
/** Margin around covered writing, in points. */
const aroundWriting = 2;

/** A plan under which less of a page can fail; undefined if everything has been tried. */
function saferPlan(
  plan: Extract<PlannedPage, { state: 'planned' }>,
  failed: readonly RedactionCheck[],
  mime: string,
): PlannedPage | undefined {
  const unread = failed.flatMap((check) => check.unread ?? []);
  const safer = { ...plan };
  // The recognised text may be read differently line by line; without it, the rest may pass.
  if (plan.layer && failed.some(({ name }) => textChecks.has(name))) {
    const { layer: _layer, ...rest } = plan;
    return { ...rest, layerLeftOut: true };
  }
  if (unread.length > 0) {
    const covered = unread.map((box) => grow(box, aroundWriting));
    safer.unreadable = [...(plan.unreadable ?? []), ...covered];
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
  said: RemovalReport;
  checks: RedactionCheck[];
  /** The checks of each page of the output. */
  perPage: RedactionCheck[][];
  /** The failed checks of each source page, and of the whole file (`wholeFile`). */
  failing: Map<number, RedactionCheck[]>;
}

/** @param before an output whose checks count for pages that did not change */
async function redactOnce(
  work: Work,
  planned: PlannedPage[],
  mime: string,
  before: Round | undefined,
): Promise<Round> {
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
    { ...fileOf(source), plansFile, style: options.style, box: options.box, outPath: path },
    within(redactMs),
  );
  requireAllPages(planned, report);
  const said = withSeen(report, planned);
  await writeFile(reportFile, JSON.stringify(said));
  const isPdf = mime === 'application/pdf';
  const proven = before && isPdf ? await provenBefore(work, before, { path, said }) : [];
  const wished = Math.ceil(report.pages.length / pagesPerChild);
  const atOnce = Math.max(1, Math.min(maxConcurrent, wished));
  // The file is checked like a page, and first, because it takes longest.
  const looks = [null, ...report.pages.map(({ outputPage }) => outputPage)];
  const [ofFile, ...perPage] = await inParallel(looks, atOnce, (outputPage) => {
    if (outputPage === null) {
      return surely('file', null, () =>
        engines.checkFile({ path, mime, reportFile }, within(checkFileMs)),
      );
    }
    const known = proven[outputPage - 1];
    if (known) return Promise.resolve(known);
    const request = { path, mime, reportFile, outputPage };
    const call = callOf(source, checkPageMs, signal);
    return surely('page', outputPage, () => engines.checkPage(request, call));
  });
  if (!ofFile || ofFile.length === 0) throw unverified(['look_at_file']);
  const checks = [...perPage.flat(), ...ofFile];
  return { path, report, said, checks, perPage, failing: failingPages(checks, report) };
}

/**
 * The results of an earlier output for pages that are unchanged in a new one, have the same claims,
 * and passed all checks; undefined for other pages. They are valid only if no additional value was
 * to be removed (`claimsNoMore`).
 */
async function provenBefore(
  { engines, source, signal }: Work,
  before: Round,
  { path, said }: Pick<Round, 'path' | 'said'>,
): Promise<(RedactionCheck[] | undefined)[]> {
  if (!claimsNoMore(before.said.values, said.values)) return [];
  const within = callOf(
    source,
    checkFileMs.document + checkFileMs.page * said.pages.length,
    signal,
  );
  const [old, now] = [
    await engines.digestPages({ path: before.path }, within),
    await engines.digestPages({ path }, within),
  ];
  return said.pages.map((page, at) => {
    const isSame = now[at] !== undefined && now[at] === old[at];
    const isSaidSame = JSON.stringify(page) === JSON.stringify(before.said.pages[at]);
    const checks = before.perPage[at] ?? [];
    const hasPassed = checks.length > 0 && checks.every(({ passed }) => passed);
    return isSame && isSaidSame && hasPassed ? checks : undefined;
  });
}

/**
 * Whether every value that is now claimed to be removed was already claimed before, as when a page
 * becomes empty. A page without any of several values has none of a subset of them: each value is
 * searched for separately.
 */
export function claimsNoMore(
  before: RemovalReport['values'],
  now: RemovalReport['values'],
): boolean {
  const keyOf = ({ type, value }: RemovalReport['values'][number]) => JSON.stringify([type, value]);
  const known = new Map(before.map((one) => [keyOf(one), one.here === true]));
  // A value that was only removed from its place was not searched for elsewhere.
  return now.every((one) => {
    const wasHere = known.get(keyOf(one));
    return wasHere !== undefined && (!wasHere || one.here === true);
  });
}

/** The report, with the areas of each page that were read: the checks examine the rest. */
function withSeen(report: RemovalReport, planned: readonly PlannedPage[]): RemovalReport {
  const pages = report.pages.map((page, at) => {
    const plan = planned[at];
    return plan?.state === 'planned' && plan.seen ? { ...page, seen: plan.seen } : page;
  });
  return { ...report, pages };
}

/** Requires that the output contains exactly the requested pages, in order. */
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
 * The results of a check. A check that cannot run or returns no result counts as failed. Faults of
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
      const failure = finalFailure(error, true);
      if (!failure) throw error;
      if (failure.retryable && tries === 1) continue;
      return placed([failedLook(what, failure.message)], outputPage);
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
    const named = pages.filter(({ outputPage }) => check.pages.includes(outputPage));
    // Also used if a check names pages that do not exist.
    if (named.length === 0) add(wholeFile, check);
    for (const { page } of named) add(page, check);
  }
  return failing;
}
