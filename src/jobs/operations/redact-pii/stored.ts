import { deflateSync, inflateSync } from 'node:zlib';
import type { FoundEntity } from '../../../contracts/wire/jobs.ts';
import type { PagePlan } from '../../../engines/index.ts';
import { isPagePlan } from '../../../engines/redact/results.ts';

/**
 * What `words` of a page holds, sealed: the plan of a page, what was found in a page of a file that is
 * redacted in its kind, or null for one of those of which nothing is known yet.
 */
type Stored = PagePlan | FoundEntity[] | null;

export function toWords(stored: Stored): Buffer {
  return deflateSync(JSON.stringify(stored));
}

function fromWords(words: Buffer): unknown {
  return JSON.parse(inflateSync(words).toString('utf8'));
}

/** The plan of a page. */
export function planOf(words: Buffer): PagePlan {
  const stored = fromWords(words);
  if (!isPagePlan(stored)) throw new Error('The stored plan of a page cannot be read.');
  return stored;
}

/** What was found on a page, as the API shows it; the values only to those who may read them. */
export function entitiesOf(words: Buffer, withValues: boolean): FoundEntity[] | null {
  // Nobody but us could seal it.
  const stored = fromWords(words) as Stored;
  if (stored === null) return null;
  return (Array.isArray(stored) ? stored : stored.removals).map((found) => ({
    type: found.type,
    score: found.score,
    ...(withValues && found.value !== undefined ? { value: found.value } : {}),
    boxes: found.boxes,
  }));
}
