import { Link } from 'wouter-preact';
import { formatBytes } from '../../contracts/format-bytes.ts';
import { formatCount } from '../kit/count.ts';
import { Progress } from '../kit/values.tsx';
import { Plots } from './plots.tsx';
import type { HomeData } from './use-home.ts';

/** How much the project holds, of how much it may, and how that came about. */
export function Figures({ data }: { data: HomeData }) {
  const { usage } = data;
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
              <Share used={used} quota={quota} title={title} />
            </Link>
          </li>
        ))}
      </ul>
      <Plots data={data} />
    </section>
  );
}

/** How much of a quota is used, as a bar; in red from nine tenths on. */
function Share({ used, quota, title }: { used: number; quota: number; title: string }) {
  const percent = Math.min(100, Math.round((100 * used) / Math.max(1, quota)));
  return <Progress percent={percent} label={`${title}: share of the quota`} bad={percent >= 90} />;
}
