import { sources } from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import { operations } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { PagePlan, PlannedPage } from '@scriptorium/documents';
import { claimsOf, createFindClaims, leftText } from '@scriptorium/documents/redact/find/left-text';
import type { DonePage } from '../../pages/outcome.ts';
import { contentNotRead } from '../content-not-read.ts';
import { doubtedTextWarnings } from '../doubted-text.ts';
import type { Assembly, NewOutput, StepWork } from '../operation.ts';
import { countByType, outcomeOf, shownText } from './find.ts';
import { languageWarnings } from './languages.ts';
import { withLayers } from './layers.ts';
import { redactedName } from './name.ts';
import { spreadPlans, withSizes } from './plans.ts';
import { type Proof, redactAndProve } from './prove.ts';
import { coverageOf, keptByReviewCheck, profileOf, sumUpChecks } from './result.ts';
import { decidedPlans } from './reviewed.ts';
import { planOf } from './stored.ts';
import { reasonsFor } from './unverified.ts';

type Work = StepWork<'redact_pii'>;

/**
 * Redacts the selected pages of a PDF or image and verifies it. The output contains no other pages.
 */
export async function redactPaged(work: Work): Promise<Assembly> {
  const { decisions } = work;
  const planned = decisions
    ? await withSizes(work, await decidedPlans(work, decisions))
    : await spreadPlans(work);
  const form = formOf(work);
  const isLayered = work.options.text_layer && form.mime === 'application/pdf';
  const layered = isLayered ? await withLayers(work, planned) : planned;
  const proof = await redactAndProve(work, layered, form.mime);
  const empty = new Set(
    proof.report.pages.filter(({ treatment }) => treatment === 'empty').map(({ page }) => page),
  );
  const plans = plansOf(proof.planned).filter(({ page }) => !empty.has(page));
  const verified = empty.size === 0;
  const notCovered = languageWarnings(
    plans.map((plan) => ({ page: plan.page, languages: plan.notCovered ?? [] })),
  );
  const covers = verified && notCovered.length === 0;
  return {
    outputs: [
      {
        ...form,
        path: proof.path,
        namedAfter: redactedName(
          work.source.filename,
          proof.report.values.filter(({ here }) => !here),
        ),
        verifiedRedaction: covers ? coverageOf(work.options) : undefined,
      },
    ],
    result: {
      profile: profileOf(work.options),
      entities_by_type: countByType(plans.flatMap(({ removals }) => removals)),
      regions: proof.report.pages.reduce((sum, { regions }) => sum + regions.length, 0),
      verified,
      checks: [...sumUpChecks(proof.checks), ...keptByReviewCheck(decisions)],
      pages_burned: proof.report.pages.filter(({ treatment }) => treatment === 'burned').length,
      pages_empty: empty.size,
    },
    failedPages: plansOf(planned)
      .filter(({ page }) => empty.has(page))
      .map(({ page }) => ({ page, error: reasonFor(page, proof) })),
    pages: await knownPages(work, plans),
    warnings: [
      ...warningsOf(plans, proof),
      ...contentNotRead([...new Set(plans.flatMap(({ dropped }) => dropped ?? []))].sort()),
      ...doubtedTextWarnings(
        'redact_pii',
        plans.filter(({ doubted }) => doubted).map(({ page }) => page),
      ),
      ...notCovered,
    ],
  };
}

/**
 * The final results of the redacted pages. They keep the text that was read, because a retry of the
 * other pages may find values that appear here too.
 */
async function knownPages(work: Work, plans: readonly PagePlan[]): Promise<DonePage[]> {
  const byPage = new Map(plans.map((plan) => [plan.page, plan]));
  const findGone = createFindClaims(plans.flatMap(claimsOf));
  const known: DonePage[] = [];
  for await (const { page, words } of work.pages('redact_pii')) {
    const plan = byPage.get(page);
    if (!plan || !words) continue;
    const { readings } = planOf(words);
    // A word that was covered for any reason must not remain in the text.
    const read = readings && { ...plan, readings };
    const whole = read ? { ...read, redactedText: leftText(read, findGone) } : plan;
    known.push({ ...outcomeOf(whole), text: shownText(whole.redactedText) });
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

/** What was done to pages that could not be redacted as planned. */
function warningsOf(plans: readonly PagePlan[], { report }: Proof): JobWarning[] {
  const covered = plans.filter(({ unreadable }) => unreadable?.length).map(({ page }) => page);
  const pictures = plans.filter(({ asPicture }) => asPicture).map(({ page }) => page);
  const bare = new Set([
    ...plans.filter(({ layerLeftOut }) => layerLeftOut).map(({ page }) => page),
    ...report.pages.filter(({ layerLeftOut }) => layerLeftOut).map(({ page }) => page),
  ]);
  const warnings: JobWarning[] = [];
  if (bare.size > 0) {
    warnings.push({
      code: 'text_layer_left_out',
      message: `The text recognised on ${pagesNamed([...bare].sort((a, b) => a - b))} could not be proven to be free of removed values, so the redacted PDF does not have it.`,
    });
  }
  if (covered.length > 0) {
    warnings.push({
      code: 'unreadable_covered',
      message: `Writing that could not be read was covered on ${pagesNamed(covered)}.`,
    });
  }
  if (pictures.length > 0) {
    warnings.push({
      code: 'text_not_kept',
      message: `Removal in place could not be proven, so a picture without text replaces ${pagesNamed(pictures)}.`,
    });
  }
  return warnings;
}

/** Maximum number of pages that a warning lists. */
const maxNamed = 20;

function pagesNamed(pages: readonly number[]): string {
  const more = pages.length - maxNamed;
  const named = pages.slice(0, maxNamed).join(', ');
  if (more > 0) return `pages ${named} and ${more} more`;
  return `${pages.length === 1 ? 'page' : 'pages'} ${named}`;
}

/** Why a page with a plan is empty in the output. */
function reasonFor(page: number, { report, unproven }: Proof): Failure {
  const names = unproven.get(page);
  const reason = report.pages.find((one) => one.page === page)?.reason;
  const message = names
    ? `The page was left empty because it failed its checks: ${reasonsFor(names)}.`
    : `The page was left empty. ${reason ?? 'It could not be redacted.'}`;
  return { code: 'page_not_redacted', message, retryable: false };
}

/** The output format: an image of one page keeps its format, everything else becomes a PDF. */
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
