import type { PlannedPage } from '@scriptorium/documents';
import { readPlans, writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import { callOptionsOf, fileOf, inspectMs } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { emptyPage } from './prove.ts';
import { planOf } from './stored.ts';
import { verificationFailure } from './unverified.ts';

type Work = StepWork<'redact_pii'>;

/** A4, for a page of unknown size. */
export const fallbackSize = { widthPt: 595, heightPt: 842 };
/** The time limit for searching recognised pages, and the additional time for each of them. */
export const spreadMs = { document: 60_000, page: 1_000 };

/**
 * The stored plans of the pages, each with the values found on other pages: a name that is obvious
 * on one page may appear on another without context. A page without a plan must not be copied.
 */
export async function spreadPlans(work: Work): Promise<PlannedPage[]> {
  const { engines, source, signal } = work;
  const [plansFile, outPath] = [await work.newFile(), await work.newFile()];
  const pages: number[] = [];
  async function* streamPlans(): AsyncGenerator<PlannedPage> {
    for await (const plan of storedPlans(work)) {
      pages.push(plan.page);
      yield plan;
    }
  }
  await writePlans(plansFile, streamPlans());
  await engines.spreadValues(
    { plansFile, outPath, allowList: work.options.allow_list },
    callOptionsOf(source, spreadMs.document + spreadMs.page * pages.length, signal),
  );
  return withOriginalSizes(work, await readAllPlans(outPath, pages));
}

/**
 * Reads the plans that an engine wrote.
 * @throws OperationFailed when they are not those of these pages, in order
 */
export async function readAllPlans(path: string, pages: readonly number[]): Promise<PlannedPage[]> {
  const planned = await readPlans(path);
  if (planned.length !== pages.length || planned.some(({ page }, at) => page !== pages[at])) {
    throw verificationFailure(['pages']);
  }
  return planned;
}

/** The plans of the pages as stored after each page was read. */
export async function* storedPlans(work: Work): AsyncGenerator<PlannedPage> {
  for await (const { page, words } of work.pages('redact_pii')) {
    yield words ? { state: 'planned', ...planOf(words) } : emptyPage(page, fallbackSize);
  }
}

/** Gives empty pages the original size, if known. */
export async function withOriginalSizes(
  work: Work,
  planned: PlannedPage[],
): Promise<PlannedPage[]> {
  if (planned.every(({ state }) => state === 'planned')) return planned;
  const { engines, source, signal } = work;
  const { pages } = await engines.inspect(fileOf(source), callOptionsOf(source, inspectMs, signal));
  return planned.map((plan) => {
    const size = pages.find(({ number }) => number === plan.page);
    if (plan.state === 'planned' || !size || !(size.widthPt > 0 && size.heightPt > 0)) return plan;
    return emptyPage(plan.page, size);
  });
}
