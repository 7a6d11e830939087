import { type OperationOptions, usualConfidence } from '../../../contracts/operations.ts';
import type { Check } from '../../../engines/index.ts';
import type { Redaction } from '../../operation-work.ts';

/** How many reasons a check tells of that failed on many pages. */
const mostDetails = 3;

/** Checks of the same name as one: of those that passed on many pages, on how many they did. */
export function sumUpChecks(checks: readonly Check[]): Check[] {
  const names = [...new Set(checks.map(({ name }) => name))].sort();
  return names.map((name) => {
    const same = checks.filter((check) => check.name === name);
    const failed = same.filter(({ passed }) => !passed);
    if (failed.length > 0) {
      const details = [...new Set(failed.map(({ detail }) => detail))].slice(0, mostDetails);
      const pages = [...new Set(failed.flatMap((check) => check.pages))].sort((a, b) => a - b);
      return { name, passed: false, detail: details.join(' '), pages };
    }
    const detail = same.length === 1 ? same[0]!.detail : `Passed ${same.length} times.`;
    return { name, passed: true, detail, pages: [] };
  });
}

/**
 * What policies may take a verified redaction for. One that was told to look less closely than the
 * defaults do, or to let things stand, is verified to be what was asked for; but whoever may start a
 * job must not be able to get round a policy so.
 */
export function coverageOf(options: OperationOptions<'redact_pii'>): Redaction | undefined {
  const { min_confidence: asked, allow_list: allowed, entities } = options;
  if (asked > usualConfidence || allowed.length > 0) return undefined;
  return { entities: entities === 'all' ? null : entities };
}
