import type { Scope } from '@scriptorium/contracts/scopes';

/** The scopes that a query for images requires, wherever it is sent: it shows what it finds. */
export function scopesOfQuery({ collection_id: id }: { collection_id?: unknown }): Scope[] {
  return id ? ['images:read', 'collections:read'] : ['images:read'];
}
