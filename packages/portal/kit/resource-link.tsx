import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { prefixOf, useName } from './names.ts';

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

/**
 * Returns the path of a resource's page, from the root; null if the portal has no page for it.
 */
export function pathOfResource(id: string): string | null {
  const basePath = resourcePaths[prefixOf(id) ?? ''];
  return basePath ? `~/portal${basePath}/${id}` : null;
}

/**
 * A link to a resource: its name, or its identifier if the name is unknown. Plain text if the portal has
 * no page for it. The names on a screen are loaded together.
 */
export function ResourceLink({ id, children }: { id: string; children?: ComponentChildren }) {
  const path = pathOfResource(id);
  const name = useName(children === undefined && path ? id : undefined);
  if (!path) return <span class="mono">{children ?? id}</span>;
  if (children !== undefined) return <Link href={path}>{children}</Link>;
  return (
    <Link href={path} title={id}>
      {name === undefined ? (
        <span class="skeleton named-skeleton" />
      ) : name === null ? (
        <span class="mono">{id}</span>
      ) : (
        <bdi>{name}</bdi>
      )}
    </Link>
  );
}
