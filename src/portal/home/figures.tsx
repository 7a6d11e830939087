import { Link } from 'wouter-preact';
import { formatBytes } from '../../contracts/format-bytes.ts';
import { formatCount } from '../kit/count.ts';
import type { HomeData } from './use-home.ts';

/** How much the project holds, and of how much it may. */
export function Figures({ data: { usage } }: { data: HomeData }) {
  if (!usage) return null;
  const figures = [
    ['Storage', usage.storage_bytes, formatBytes, '/library'],
    ['Objects', usage.objects, formatCount, '/library?originals=false'],
    ['Collections', usage.collections, formatCount, '/collections'],
    ['Jobs in flight', usage.jobs_in_flight, formatCount, '/jobs'],
    ['API keys', usage.api_keys, formatCount, '/keys'],
  ] as const;
  return (
    <section aria-labelledby="home-usage" class="stack">
      <h2 id="home-usage">Usage</h2>
      <ul class="home-figures">
        {figures.map(([title, { used, quota }, format, href]) => (
          <li key={title}>
            <Link href={href}>
              <span class="soft">{title}</span>
              <strong>{format(used)}</strong>
              <span class="soft">of {format(quota)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
