import type { Scope } from '@scriptorium/contracts/scopes';

/**
 * The scopes that an image query requires in any request, because it reveals which images match.
 */
export function scopesOfQuery({ collection_id: id }: { collection_id?: unknown }): Scope[] {
  return id ? ['images:read', 'collections:read'] : ['images:read'];
}
