import type { Scope } from '@scriptorium/contracts/scopes';

/**
 * The scopes that a query for images requires in any request, because it reveals the images that
 * match.
 */
export function scopesOfQuery({ collection_id: id }: { collection_id?: unknown }): Scope[] {
  return id ? ['images:read', 'collections:read'] : ['images:read'];
}
