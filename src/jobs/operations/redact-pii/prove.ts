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

/** How many pages are checked at once at most, so that one job does not occupy all children. */
const maxConcurrent = 4;
/**
 * Pages for which another child is worth its start: each loads the readers, opens the file and finds out
 * by itself which fonts draw what they say.
 */
const pagesPerChild = 6;
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

/** After this many outputs that failed, pages that still fail are emptied. */
const maxRounds = 5;

/**
 * Redacts the pages of a PDF or image and checks the output independently. If a page fails a check,
 * writing on it that could not be read is covered, or it becomes a picture, or it is emptied, and
 * everything is redacted and checked once more.
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
      // A check of the whole file says nothing against a page.
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
/** Around writing that is covered, in points. */
const aroundWriting = 2;

/** A plan by which less of a page can fail; undefined if all has been tried. */
function saferPlan(
  plan: Extract<PlannedPage, { state: 'planned' }>,
  failed: readonly RedactionCheck[],
  mime: string,
): PlannedPage | undefined {
  const unread = failed.flatMap((check) => check.unread ?? []);
  const safer = { ...plan };
  // The recognised text may read differently line by line; without it, all else may be proven.
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
  /** The report that the checks were given. */
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
  // The file is checked as one of the pages, and first, since it takes longest.
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
 * The checks of an earlier output for pages that are the same in a new one, are said to be the same, and have
 * passed all of them; undefined for other pages. They are worth something only if no other value was to be
 * removed now (`claimsNoMore`).
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
 * Whether every value that is claimed to be gone now was claimed to be so before, as it is when a page became
 * empty. A page on which none of more values was found has none of fewer: each value is searched for by
 * itself, whatever the others are.
 */
export function claimsNoMore(
  before: RemovalReport['values'],
  now: RemovalReport['values'],
): boolean {
  const keyOf = ({ type, value }: RemovalReport['values'][number]) => JSON.stringify([type, value]);
  const known = new Map(before.map((one) => [keyOf(one), one.here === true]));
  // A value that was gone from its place only was not searched for elsewhere.
  return now.every((one) => {
    const wasHere = known.get(keyOf(one));
    return wasHere !== undefined && (!wasHere || one.here === true);
  });
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

/** The key of checks that concern no page. */
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
    // Also if it names pages that do not exist.
    if (named.length === 0) add(wholeFile, check);
    for (const { page } of named) add(page, check);
  }
  return failing;
}
