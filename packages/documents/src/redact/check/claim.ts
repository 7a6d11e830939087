import { readFile, stat } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { isRemovalReport } from '../contract/guards.ts';
import { maxValueLength, type RemovalReport } from '../contract/report.ts';
import { createMatcher, type Matcher } from '../matching/matcher.ts';

/** The report of the removal, and a matcher for all removed values. */
export interface Claim {
  report: RemovalReport;
  matcher: Matcher;
}

const maxValues = 200_000;
let cached: { key: string; claim: Claim } | undefined;

/**
 * Reads a report. The last report is cached, because all pages of a file are checked against the
 * same report.
 */
export async function readClaim(path: string): Promise<Claim> {
  const { size, mtimeMs, ino } = await stat(path);
  const key = `${ino}:${size}:${mtimeMs}:${path}`;
  if (cached?.key === key) return cached.claim;
  const report: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isRemovalReport(report)) {
    throw new EngineError('invalid_argument', 'The redaction report is malformed.');
  }
  const { values } = report;
  if (values.length > maxValues || values.some(({ value }) => value.length > maxValueLength)) {
    throw new EngineError(
      'too_large',
      'The removed values are too many or too long to be checked.',
    );
  }
  cached = { key, claim: { report, matcher: createMatcher(removedValues(report)) } };
  return cached.claim;
}

/** Returns the values that must not occur anywhere in the output. */
export function removedValues({ values }: RemovalReport): RemovalReport['values'] {
  return values.filter(({ here }) => !here);
}

/** Forgets the values of the last report. Called between projects. */
export function forgetClaim(): void {
  cached = undefined;
}
