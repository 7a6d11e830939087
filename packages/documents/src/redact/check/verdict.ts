import type { RedactionCheck } from '../contract/report.ts';

const maxReasons = 5;

/** A failure and the output page that it concerns; null if it concerns the whole file. */
export interface CheckFailure {
  detail: string;
  page: number | null;
}

/**
 * Returns the verdict of a check. The check has passed if there are no failures. The verdict never
 * contains a value.
 * @param summary a description of the examined content
 */
export function createVerdict(
  name: string,
  failures: readonly CheckFailure[],
  summary: string,
): RedactionCheck {
  if (failures.length === 0) return { name, passed: true, detail: summary, pages: [] };
  const reasons = [...new Set(failures.map(({ detail }) => detail))];
  const moreReasons =
    reasons.length > maxReasons ? ` And ${reasons.length - maxReasons} more.` : '';
  const pages = failures.map(({ page }) => page);
  const concernsFile = pages.includes(null);
  const pageNumbers = pages.flatMap((page) => (page === null ? [] : [page]));
  return {
    name,
    passed: false,
    detail: `${reasons.slice(0, maxReasons).join(' ')}${moreReasons}`,
    pages: concernsFile ? [] : [...new Set(pageNumbers)].sort((a, b) => a - b),
  };
}
