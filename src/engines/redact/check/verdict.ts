import type { Check } from '../plan.ts';

const mostReasons = 5;

/** What was found wrong, and on which output page; null where it concerns the whole file. */
export interface Failure {
  detail: string;
  page: number | null;
}

/** A verdict: passed when nothing was found; `looked` says at what. Never holds a value. */
export function verdict(name: string, failures: readonly Failure[], looked: string): Check {
  if (failures.length === 0) return { name, passed: true, detail: looked, pages: [] };
  const reasons = [...new Set(failures.map(({ detail }) => detail))];
  const more = reasons.length > mostReasons ? ` And ${reasons.length - mostReasons} more.` : '';
  const pages = failures.map(({ page }) => page);
  const isWhole = pages.includes(null);
  const named = pages.flatMap((page) => (page === null ? [] : [page]));
  return {
    name,
    passed: false,
    detail: `${reasons.slice(0, mostReasons).join(' ')}${more}`,
    pages: isWhole ? [] : [...new Set(named)].sort((a, b) => a - b),
  };
}

/** "1 page", "2 pages". */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;
