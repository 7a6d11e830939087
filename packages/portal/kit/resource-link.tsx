import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

const places: Record<string, string> = {
  obj: '/library/objects',
  img: '/library/images',
  col: '/collections',
  job: '/jobs',
  pack: '/packs',
  rev: '/reviews',
  evt: '/events',
  whk: '/webhooks',
  key: '/keys',
  pol: '/policies',
};
const shape = /^([a-z]{3,4})_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * Returns the portal's page for a resource, as a path from the root; null if the portal has none.
 */
export function placeOf(id: string): string | null {
  const place = places[shape.exec(id)?.[1] ?? ''];
  return place ? `~/portal${place}/${id}` : null;
}

/** A link to a resource by its identifier; plain text if the portal has no page for it. */
export function ResourceLink({ id, children }: { id: string; children?: ComponentChildren }) {
  const place = placeOf(id);
  if (!place) return <span class="mono">{children ?? id}</span>;
  return (
    <Link href={place} class={children ? '' : 'mono'}>
      {children ?? id}
    </Link>
  );
}
