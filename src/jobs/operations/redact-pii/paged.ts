import { operations } from '../../../contracts/operations.ts';
import { sources } from '../../../contracts/sources.ts';
import type { Failure } from '../../../contracts/wire/common.ts';
import type { PagePlan, PlannedPage } from '../../../engines/index.ts';
import { readPlans, writePlans } from '../../../engines/redact/plans.ts';
import type { DonePage } from '../../finish-pages.ts';
import type { Assembly, NewOutput, StepWork } from '../../operation-work.ts';
import { callOf, fileOf, inspectMs } from '../calls.ts';
import { countByType, outcomeOf, shownText } from './find.ts';
import { redactedName } from './name.ts';
import { emptyPage, type Proof, redactAndProve, unverified } from './prove.ts';
import { coverageOf, sumUpChecks } from './result.ts';
import { planOf } from './stored.ts';

type Work = StepWork<'redact_pii'>;

/** A4, for a page whose size nobody could tell. */
const unknownSize = { widthPt: 595, heightPt: 842 };
/** What it may take to look for values on pages that were read already. */
const spreadMs = { document: 60_000, page: 1_000 };

/** Redacts the selected pages of a PDF or picture and proves it: nothing else comes into the output. */
export async function redactPaged(work: Work): Promise<Assembly> {
  const planned = await spreadPlans(work);
  const form = formOf(work);
  const proof = await redactAndProve(work, planned, form.mime);
  const empty = new Set(
    proof.report.pages.filter(({ treatment }) => treatment === 'empty').map(({ page }) => page),
  );
  const plans = plansOf(proof.planned).filter(({ page }) => !empty.has(page));
  const verified = empty.size === 0;
  return {
    outputs: [
      {
        ...form,
        path: proof.path,
        namedAfter: redactedName(work.source.filename, proof.report.values),
        verifiedRedaction: verified ? coverageOf(work.options) : undefined,
      },
    ],
    result: {
      entities_by_type: countByType(plans.flatMap(({ removals }) => removals)),
      regions: proof.report.pages.reduce((sum, { regions }) => sum + regions.length, 0),
      verified,
      checks: sumUpChecks(proof.checks),
      pages_burned: proof.report.pages.filter(({ treatment }) => treatment === 'burned').length,
      pages_empty: empty.size,
    },
    failedPages: plansOf(planned)
      .filter(({ page }) => empty.has(page))
      .map(({ page }) => ({ page, error: reasonFor(page, proof) })),
    pages: await knownPages(work, plans),
  };
}

/**
 * The plans as the pages' steps stored them, each with what was found on the others: a name that is
 * plain to see on one page may stand on another where nothing tells that it is one. A page without a
 * plan must not be copied.
 */
async function spreadPlans(work: Work): Promise<PlannedPage[]> {
  const { engines, source, signal } = work;
  const [plansFile, outPath] = [await work.newFile(), await work.newFile()];
  const pages: number[] = [];
  async function* stored(): AsyncGenerator<PlannedPage> {
    for await (const { page, words } of work.pages('redact_pii')) {
      pages.push(page);
      yield words ? { state: 'planned', ...planOf(words) } : emptyPage(page, unknownSize);
    }
  }
  await writePlans(plansFile, stored());
  await engines.spreadValues(
    { plansFile, outPath },
    callOf(source, spreadMs.document + spreadMs.page * pages.length, signal),
  );
  const planned = await readPlans(outPath);
  if (planned.length !== pages.length || planned.some(({ page }, at) => page !== pages[at])) {
    throw unverified(['pages']);
  }
  return withSizes(work, planned);
}

/** An empty page is as large as the one it stands for, where that can be told. */
async function withSizes(work: Work, planned: PlannedPage[]): Promise<PlannedPage[]> {
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
 * What is known of the good pages now. What was read of them stays with them, for a retry of the
 * others may find something that stands here too.
 */
async function knownPages(work: Work, plans: readonly PagePlan[]): Promise<DonePage[]> {
  const byPage = new Map(plans.map((plan) => [plan.page, plan]));
  const known: DonePage[] = [];
  for await (const { page, words } of work.pages('redact_pii')) {
    const plan = byPage.get(page);
    if (!plan || !words) continue;
    const { readings } = planOf(words);
    const whole = readings ? { ...plan, readings } : plan;
    known.push({ ...outcomeOf(whole), text: shownText(plan.redactedText) });
  }
  return known;
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
