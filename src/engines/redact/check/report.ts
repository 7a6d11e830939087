import { readFile, stat } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';
import type { RemovalReport } from '../plan.ts';
import { isRemovalReport } from '../results.ts';
import { createMatcher, type Matcher } from './matcher.ts';

/** What the remover says it did, and a matcher of all that it took out. */
export interface Claim {
  report: RemovalReport;
  matcher: Matcher;
}

const mostValues = 200_000;
const longestValue = 10_000;
let known: { key: string; claim: Claim } | undefined;

/** Reads a report; the last one is kept, since every page of a file is checked with the same. */
export async function readClaim(path: string): Promise<Claim> {
  const { size, mtimeMs, ino } = await stat(path);
  const key = `${ino}:${size}:${mtimeMs}:${path}`;
  if (known?.key === key) return known.claim;
  const report: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isRemovalReport(report)) {
    throw new EngineError('invalid_argument', 'The report of a redaction is malformed.');
  }
  const { values } = report;
  if (values.length > mostValues || values.some(({ value }) => value.length > longestValue)) {
    throw new EngineError('too_large', 'More was removed than can be checked.');
  }
  known = { key, claim: { report, matcher: createMatcher(values) } };
  return known.claim;
}

/** Forgets the values of the last report: called between projects. */
export function forgetClaim(): void {
  known = undefined;
}
