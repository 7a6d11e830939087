import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

const places: Record<string, string> = {
  obj: '/library/objects',
  img: '/library/images',
  col: '/collections',
  job: '/jobs',
  evt: '/events',
  whk: '/webhooks',
  key: '/keys',
  pol: '/policies',
};
const shape = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/;

/** Where the portal shows what an identifier names, from its root; null where it shows no such thing. */
export function placeOf(id: string): string | null {
  const place = places[shape.exec(id)?.[1] ?? ''];
  return place ? `~/portal${place}/${id}` : null;
}

/** An identifier that leads to what it names; plain text where the portal has no screen for it. */
export function ResourceLink({ id, children }: { id: string; children?: ComponentChildren }) {
  const place = placeOf(id);
  if (!place) return <span class="mono">{children ?? id}</span>;
  return (
    <Link href={place} class={children ? '' : 'mono'}>
      {children ?? id}
    </Link>
  );
}
