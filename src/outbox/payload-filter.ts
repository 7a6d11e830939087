import type { PayloadFilter } from '../entities/webhook-endpoint.ts';

/** Whether a body has one of the wanted values at every pointer. */
export function matchesFilter(filter: PayloadFilter, body: unknown): boolean {
  return Object.entries(filter).every(([pointer, wanted]) => {
    let at: unknown = body;
    for (const token of pointer.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
      at = (at as Record<string, unknown>)[key];
    }
    const found: unknown[] = Array.isArray(at) ? at : [at];
    return found.some((value) => wanted.some((each) => each === value));
  });
}
