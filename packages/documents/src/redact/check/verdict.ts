import type { RedactionCheck } from '../contract/report.ts';

const maxReasons = 5;

/** A failure and the output page that it concerns; null if it concerns the whole file. */
export interface CheckFailure {
  detail: string;
  page: number | null;
}

/**
 * Returns the verdict of a check, which has passed if there are no failures. Never contains a
 * value.
 * @param looked a description of what was examined
 */
export function verdict(
  name: string,
  failures: readonly CheckFailure[],
  looked: string,
): RedactionCheck {
  if (failures.length === 0) return { name, passed: true, detail: looked, pages: [] };
  const reasons = [...new Set(failures.map(({ detail }) => detail))];
  const more = reasons.length > maxReasons ? ` And ${reasons.length - maxReasons} more.` : '';
  const pages = failures.map(({ page }) => page);
  const isWhole = pages.includes(null);
  const named = pages.flatMap((page) => (page === null ? [] : [page]));
  return {
    name,
    passed: false,
    detail: `${reasons.slice(0, maxReasons).join(' ')}${more}`,
    pages: isWhole ? [] : [...new Set(named)].sort((a, b) => a - b),
  };
}
