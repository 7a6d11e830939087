import type { KnownKeys } from '@scriptorium/contracts/certificates/verify';

/** What the service writes into the page when it serves it. */
export interface PageData {
  /** The address of the service; empty if it is unknown. */
  origin: string;
  published: KnownKeys['published'];
  /** The time at which a copy was saved; null for the page itself. */
  savedAt: string | null;
}

/** Reads the data that the service has written into the page. */
export function readPageData(): PageData {
  // The page and its script come from the same response.
  return JSON.parse(document.getElementById('data')!.textContent) as PageData;
}
