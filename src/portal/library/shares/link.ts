import type { ShareRecord } from '../../../contracts/wire/library/shares.ts';

/** A link as people copy it. */
export function linkOf({ url }: ShareRecord): string | null {
  return url && new URL(url, window.location.origin).href;
}
