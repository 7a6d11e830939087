import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

const resourcePaths: Record<string, string> = {
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
const idPattern = /^([a-z]{3,4})_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * Returns the path of a resource's page, from the root; null if the portal has no page for it.
 */
export function pathOfResource(id: string): string | null {
  const basePath = resourcePaths[idPattern.exec(id)?.[1] ?? ''];
  return basePath ? `~/portal${basePath}/${id}` : null;
}

/** A link to a resource by its identifier; plain text if the portal has no page for it. */
export function ResourceLink({ id, children }: { id: string; children?: ComponentChildren }) {
  const path = pathOfResource(id);
  if (!path) return <span class="mono">{children ?? id}</span>;
  return (
    <Link href={path} class={children ? '' : 'mono'}>
      {children ?? id}
    </Link>
  );
}
