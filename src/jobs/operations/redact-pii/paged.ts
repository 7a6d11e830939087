import { writeFile } from 'node:fs/promises';
import { operations } from '../../../contracts/operations.ts';
import { sources } from '../../../contracts/sources.ts';
import type { Failure } from '../../../contracts/wire/common.ts';
import { finalFailure } from '../../../engines/errors.ts';
import type { PagePlan, PlannedPage } from '../../../engines/index.ts';
import { inParallel } from '../../in-parallel.ts';
import type { Assembly, NewOutput, StepWork } from '../../operation-work.ts';
import { callOf, fileOf, inspectMs } from '../calls.ts';
import { countByType, findOnPage, knownValuesOf, outcomeOf, shownText } from './find.ts';
import { emptyPage, type Proof, pagesAtOnce, redactAndProve } from './prove.ts';
import { coverageOf, sumUpChecks } from './result.ts';
import { planOf } from './stored.ts';

type Work = StepWork<'redact_pii'>;

/** A4, for a page whose size nobody could tell. */
const unknownSize = { widthPt: 595, heightPt: 842 };

/** Redacts the selected pages of a PDF or picture and proves it: nothing else comes into the output. */
export async function redactPaged(work: Work): Promise<Assembly> {
  const found = await readPlans(work);
  const form = formOf(work);
  const proof = await redactAndProve(work, await spreadValues(work, found), form.mime);
  const empty = new Set(
    proof.report.pages.filter(({ treatment }) => treatment === 'empty').map(({ page }) => page),
  );
  const failedPages = plansOf(found)
    .filter(({ page }) => empty.has(page))
    .map(({ page }) => ({ page, error: reasonFor(page, proof) }));
  const plans = plansOf(proof.planned).filter(({ page }) => !empty.has(page));
  const verified = empty.size === 0;
  const treated = (treatment: string): number =>
    proof.report.pages.filter((page) => page.treatment === treatment).length;
  return {
    outputs: [
      {
        ...form,
        path: proof.path,
        verifiedRedaction: verified ? coverageOf(work.options) : undefined,
      },
    ],
    result: {
      entities_by_type: countByType(plans.flatMap(({ removals }) => removals)),
      regions: proof.report.pages.reduce((sum, { regions }) => sum + regions.length, 0),
      verified,
      checks: sumUpChecks(proof.checks),
      pages_burned: treated('burned'),
      pages_empty: empty.size,
    },
    failedPages,
    pages: plans.map((plan) => ({ ...outcomeOf(plan), text: shownText(plan.redactedText) })),
  };
}

/** The plans as the pages' steps stored them; a page without one must not be copied. */
async function readPlans(work: Work): Promise<PlannedPage[]> {
  const planned: PlannedPage[] = [];
  for await (const { page, words } of work.pages('redact_pii')) {
    planned.push(words ? { state: 'planned', ...planOf(words) } : emptyPage(page, unknownSize));
  }
  if (planned.every(({ state }) => state === 'planned')) return planned;
  const { engines, source, signal } = work;
  const { pages } = await engines.inspect(fileOf(source), callOf(source, inspectMs, signal));
  return planned.map((plan) => {
    const size = pages.find(({ number }) => number === plan.page);
    if (plan.state === 'planned' || !size || !(size.widthPt > 0 && size.heightPt > 0)) return plan;
    return emptyPage(plan.page, size);
  });
}

/**
 * Looks at every page once more for what was found on the others: a name that is plain to see on one
 * page may stand on another where nothing tells that it is one.
 */
async function spreadValues(work: Work, planned: PlannedPage[]): Promise<PlannedPage[]> {
  const known = knownValuesOf(plansOf(planned));
  if (known.length === 0 || planned.length === 1) return planned;
  const knownFile = await work.newFile();
  await writeFile(knownFile, JSON.stringify(known));
  return inParallel(planned, pagesAtOnce, async (plan) => {
    if (plan.state === 'failed') return plan;
    try {
      const found = await findOnPage(work, plan.page, knownFile);
      return found ? { state: 'planned', ...found } : emptyPage(plan.page, plan);
    } catch (error) {
      // A page that cannot be looked at again is not copied; the machine's faults pass.
      if (finalFailure(error, true) === null) throw error;
      return emptyPage(plan.page, plan);
    }
  });
}

function plansOf(planned: readonly PlannedPage[]): PagePlan[] {
  return planned.flatMap((plan) => {
    if (plan.state === 'failed') return [];
    const { state: _state, ...rest } = plan;
    return [rest];
  });
}

/** Why a page that seemed to have succeeded is empty in the output. */
function reasonFor(page: number, { report, unproven }: Proof): Failure {
  const names = unproven.get(page);
  const reason = report.pages.find((one) => one.page === page)?.reason;
  const message = names
    ? `The page was left empty: it did not pass these checks: ${[...new Set(names)].join(', ')}.`
    : `The page was left empty. ${reason ?? 'It could not be redacted.'}`;
  return { code: 'page_not_redacted', message, retryable: false };
}

/** What is made: a picture of one page stays of its kind, all else becomes a PDF. */
function formOf({ source }: Work): Omit<NewOutput, 'path'> {
  const [pdf, file] = operations.redact_pii.outputs;
  const extension = pictures[source.mime];
  if (sources[source.mime].kind === 'image' && extension) {
    return { kind: file, mime: source.mime, suffix: `.redacted.${extension}` };
  }
  return { kind: pdf, mime: 'application/pdf', suffix: '.redacted.pdf' };
}

const pictures: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};
