import { hasFields, isListOf, isNumber, isOneOf, isString } from '../results.ts';
import type { RemovalReport } from './plan.ts';

const isRegion = (value: unknown): boolean =>
  hasFields(value, { box: isListOf(isNumber, 4), type: isString });

const isPage = (value: unknown): boolean =>
  hasFields(value, {
    page: isNumber,
    outputPage: isNumber,
    treatment: isOneOf('copied', 'redacted', 'burned', 'empty'),
    reason: (reason) => reason === null || isString(reason),
    regions: isListOf(isRegion),
  });

/** What `redactPages` gives back, as it arrives from a child or a file. */
export function isRemovalReport(value: unknown): value is RemovalReport {
  return hasFields(value, {
    pages: isListOf(isPage),
    values: isListOf((item) => hasFields(item, { type: isString, value: isString })),
  });
}
