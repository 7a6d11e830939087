import { sources } from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import { operations } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { PagePlan, PlannedPage } from '@scriptorium/documents';
import {
  claimsOf,
  createClaimFinder,
  remainingText,
} from '@scriptorium/documents/redact/find/left-text';
import type { ProcessedPage } from '../../pages/outcome.ts';
import { contentNotReadWarnings } from '../content-not-read.ts';
import { doubtedTextWarnings } from '../doubted-text.ts';
import type { Assembly, NewOutput, StepWork } from '../operation.ts';
import { externalChecks, externalWarnings } from './external/report.ts';
import { countByType, outcomeOf, storableText } from './find.ts';
import { languageWarnings } from './languages.ts';
import { withLayers } from './layers.ts';
import { spreadPlans, withOriginalSizes } from './plans.ts';
import { type Proof, redactAndProve } from './prove.ts';
import { nameOfOutput } from './redacted-name.ts';
import { combineChecks, coverageOf, keptByReviewCheck, profileOf } from './result.ts';
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
    ? await withOriginalSizes(work, await decidedPlans(work, decisions))
    : await spreadPlans(work);
  const format = outputFormatOf(work);
  const isLayered = work.options.text_layer && format.mime === 'application/pdf';
  const layered = isLayered ? await withLayers(work, planned) : planned;
  const proof = await redactAndProve(work, layered, format.mime);
  const empty = new Set(
    proof.report.pages.filter(({ treatment }) => treatment === 'empty').map(({ page }) => page),
  );
  const plans = plansOf(proof.planned).filter(({ page }) => !empty.has(page));
  const verified = empty.size === 0 && plans.every(({ external }) => external !== 'unavailable');
  const notCovered = languageWarnings(
    plans.map((plan) => ({ page: plan.page, languages: plan.notCovered ?? [] })),
  );
  const isComplete = verified && notCovered.length === 0;
  return {
    outputs: [
      {
        ...format,
        path: proof.path,
        namedAfter: await nameOfOutput(
          work,
          proof.report.values.filter(({ here }) => !here),
        ),
        verifiedRedaction: isComplete ? coverageOf(work.options) : undefined,
      },
    ],
    result: {
      profile: profileOf(work.options),
      entities_by_type: countByType(plans.flatMap(({ removals }) => removals)),
      regions: proof.report.pages.reduce((sum, { regions }) => sum + regions.length, 0),
      verified,
      checks: [
        ...combineChecks(proof.checks),
        ...keptByReviewCheck(decisions),
        ...externalChecks(plans),
      ],
      pages_burned: proof.report.pages.filter(({ treatment }) => treatment === 'burned').length,
      pages_empty: empty.size,
    },
    ...firstPageOf(proof),
    failedPages: plansOf(planned)
      .filter(({ page }) => empty.has(page))
      .map(({ page }) => ({ page, error: pageFailure(page, proof) })),
    pages: await finalResults(work, plans),
    warnings: [
      ...warningsOf(plans, proof),
      ...contentNotReadWarnings([...new Set(plans.flatMap(({ dropped }) => dropped ?? []))].sort()),
      ...doubtedTextWarnings(
        'redact_pii',
        plans.filter(({ doubted }) => doubted).map(({ page }) => page),
      ),
      ...notCovered,
      ...externalWarnings(plans),
    ],
  };
}

/**
 * The final results of the redacted pages. They keep the text that was read, because a retry of the
 * other pages may find values that appear here too.
 */
async function finalResults(work: Work, plans: readonly PagePlan[]): Promise<ProcessedPage[]> {
  const byPage = new Map(plans.map((plan) => [plan.page, plan]));
  const findRemoved = createClaimFinder(plans.flatMap(claimsOf));
  const results: ProcessedPage[] = [];
  for await (const { page, words } of work.pages('redact_pii')) {
    const plan = byPage.get(page);
    if (!plan || !words) continue;
    const { readings } = planOf(words);
    // A word that was covered for any reason must not remain in the text.
    const planWithReadings = readings && { ...plan, readings };
    const finalPlan = planWithReadings
      ? { ...planWithReadings, redactedText: remainingText(planWithReadings, findRemoved) }
      : plan;
    results.push({ ...outcomeOf(finalPlan), text: storableText(finalPlan.redactedText) });
  }
  return results;
}

/** The places of content that was removed from the first page, without what they contained. */
function firstPageOf({ report }: Proof): Pick<Assembly, 'firstPage'> {
  const first = report.pages.find(({ outputPage }) => outputPage === 1);
  if (!first) return {};
  const { widthPt: width, heightPt: height, regions } = first;
  const boxes = regions.map(({ box: [left, top, right, bottom] }) => {
    const [x, y] = [Math.floor(left), Math.floor(top)];
    return [x, y, Math.ceil(right) - x, Math.ceil(bottom) - y];
  });
  return { firstPage: { width: Math.round(width), height: Math.round(height), boxes } };
}

function plansOf(planned: readonly PlannedPage[]): PagePlan[] {
  return planned.flatMap((plan) => {
    if (plan.state === 'failed') return [];
    const { state: _state, ...pagePlan } = plan;
    return [pagePlan];
  });
}

/** Warnings about pages that could not be redacted as planned. */
function warningsOf(plans: readonly PagePlan[], { report }: Proof): JobWarning[] {
  const coveredPages = plans.filter(({ unreadable }) => unreadable?.length).map(({ page }) => page);
  const picturePages = plans.filter(({ asPicture }) => asPicture).map(({ page }) => page);
  const withoutLayer = new Set([
    ...plans.filter(({ layerLeftOut }) => layerLeftOut).map(({ page }) => page),
    ...report.pages.filter(({ layerLeftOut }) => layerLeftOut).map(({ page }) => page),
  ]);
  const warnings: JobWarning[] = [];
  if (withoutLayer.size > 0) {
    warnings.push({
      code: 'text_layer_left_out',
      message: `The text recognised on ${formatPages([...withoutLayer].sort((a, b) => a - b))} could not be proven to be free of removed values, so the redacted PDF does not have it.`,
    });
  }
  if (coveredPages.length > 0) {
    warnings.push({
      code: 'unreadable_covered',
      message: `Writing that could not be read was covered on ${formatPages(coveredPages)}.`,
    });
  }
  if (picturePages.length > 0) {
    warnings.push({
      code: 'text_not_kept',
      message: `Removal in place could not be proven, so a picture without text replaces ${formatPages(picturePages)}.`,
    });
  }
  return warnings;
}

/** Maximum number of pages that a warning lists. */
const maxListed = 20;

function formatPages(pages: readonly number[]): string {
  const more = pages.length - maxListed;
  const listed = pages.slice(0, maxListed).join(', ');
  if (more > 0) return `pages ${listed} and ${more} more`;
  return `${pages.length === 1 ? 'page' : 'pages'} ${listed}`;
}

/** Why a page with a plan is empty in the output. */
function pageFailure(page: number, { report, unproven }: Proof): Failure {
  const failedChecks = unproven.get(page);
  const reason = report.pages.find((reportedPage) => reportedPage.page === page)?.reason;
  const message = failedChecks
    ? `The page was left empty because it failed its checks: ${reasonsFor(failedChecks)}.`
    : `The page was left empty. ${reason ?? 'It could not be redacted.'}`;
  return { code: 'page_not_redacted', message, retryable: false };
}

/** The format of the output: an image of one page keeps its format, all other files become PDF. */
function outputFormatOf({ source }: Work): Omit<NewOutput, 'path'> {
  const [pdf, file] = operations.redact_pii.outputs;
  const extension = imageExtensions[source.mime];
  if (sources[source.mime].kind === 'image' && extension) {
    return { kind: file, mime: source.mime, suffix: `.redacted.${extension}` };
  }
  return { kind: pdf, mime: 'application/pdf', suffix: '.redacted.pdf' };
}

const imageExtensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};
