import { deflateSync, inflateSync } from 'node:zlib';
import type { FoundEntity } from '@scriptorium/contracts/wire/jobs';
import type { PagePlan } from '@scriptorium/documents';
import { isPagePlan } from '@scriptorium/documents/redact/contract/guards';
import type { ExternalPlace } from '@scriptorium/documents/redact/contract/requests';

/**
 * The sealed `words` of a page: the plan of a page, the values found in a page of a file that is
 * redacted as a whole, or null for such a page before the assembly. The first page of such a file
 * has the findings of an external recogniser instead, if it was asked.
 */
type StoredWords = PagePlan | FoundEntity[] | ExternalSearch | null;

/** The findings of an external recogniser in a file without pages. */
export type ExternalSearch =
  | { external: 'searched'; digest: string; places: ExternalPlace[] }
  | { external: 'unavailable' };

export function toWords(stored: StoredWords): Buffer {
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

/** The findings of an external recogniser, from the first page of a file without pages. */
export function externalSearchOf(words: Buffer): ExternalSearch | null {
  const stored = fromWords(words) as StoredWords;
  return stored && 'external' in stored && !('removals' in stored) ? stored : null;
}

/** The values found on a page, as the API returns them, only for callers that may read them. */
export function entitiesOf(words: Buffer, withValues: boolean): FoundEntity[] | null {
  // Only this service could have sealed it.
  const stored = fromWords(words) as StoredWords;
  if (stored === null || !(Array.isArray(stored) || 'removals' in stored)) return null;
  return (Array.isArray(stored) ? stored : stored.removals).map((found) => ({
    type: found.type,
    score: found.score,
    ...(withValues && found.value !== undefined ? { value: found.value } : {}),
    boxes: found.boxes,
  }));
}
