import {
  coveredBy,
  coveredWithout,
  type ProfileName,
} from '@scriptorium/contracts/documents/profiles';
import { defaultConfidence, type OperationOptions } from '@scriptorium/contracts/operations';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { RedactionCheck } from '@scriptorium/documents';
import type { Decisions } from '../../reviews/findings.ts';
import type { Redaction } from '../operation.ts';

/** Maximum number of details shown for a check that failed on many pages. */
const maxDetails = 3;

/** Combines checks of the same name. */
export function combineChecks(checks: readonly RedactionCheck[]): RedactionCheck[] {
  const names = [...new Set(checks.map(({ name }) => name))].sort();
  return names.map((name) => {
    const same = checks.filter((check) => check.name === name);
    const failed = same.filter(({ passed }) => !passed);
    if (failed.length > 0) {
      const details = [...new Set(failed.map(({ detail }) => detail))].slice(0, maxDetails);
      const pages = [...new Set(failed.flatMap((check) => check.pages))].sort((a, b) => a - b);
      return { name, passed: false, detail: details.join(' '), pages };
    }
    const detail = same.length === 1 ? same[0]!.detail : `Passed on ${same.length} pages.`;
    return { name, passed: true, detail, pages: [] };
  });
}

/**
 * The facts that policies may rely on after a verified redaction; undefined if its options were
 * less strict than the defaults or kept values: a job must not be a way to bypass a policy.
 */
export function coverageOf(options: OperationOptions<'redact_pii'>): Redaction | undefined {
  const { min_confidence, allow_list, mail_recipients, entities, keep = [] } = options;
  if (min_confidence > defaultConfidence || allow_list.length > 0) return undefined;
  if (mail_recipients === 'keep') return undefined;
  return { entities: coveredWithout(coveredBy(entities), keep) };
}

/** The requested profile; null for a list of types. */
export function profileOf({ entities }: OperationOptions<'redact_pii'>): ProfileName | null {
  return typeof entities === 'string' ? entities : null;
}

/**
 * Describes the values that people kept, which the other checks do not search for. None without a
 * review.
 */
export function keptByReviewCheck(decisions: Decisions | null): RedactionCheck[] {
  if (!decisions) return [];
  const { rejected } = decisions;
  const detail =
    rejected === 0
      ? 'No finding was rejected in the review.'
      : `${pluralise(rejected, 'finding')} rejected in the review ${rejected === 1 ? 'stays' : 'stay'} in the file, and values that they show are checked only where they were removed.`;
  return [{ name: 'kept_by_review', passed: true, detail, pages: [] }];
}
