import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { Link } from 'wouter-preact';
import { requestFor } from '../api/request.ts';
import { formatCount } from '../kit/format-count.ts';
import { PageHead } from '../kit/page-head.tsx';
import { Loading, ProblemState } from '../kit/states.tsx';
import { Progress } from '../kit/values.tsx';
import { DropTarget, UploadButton } from '../library/uploads/index.tsx';
import { useSession } from '../shell/session.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { RecentlyAdded } from './recently-added.tsx';
import { RunningJobs } from './running-jobs.tsx';
import { UsageCharts } from './usage-charts.tsx';
import { type HomeData, useHome } from './use-home.ts';
import './home.css';

/** Shows items that need attention, running jobs, new files, and the usage of the project. */
export default function Home() {
  const { can } = useSession();
  const { data, problem, reload } = useHome();
  return (
    <DropTarget>
      <PageHead
        title="Home"
        primary={<UploadButton />}
        calls={[
          ...(can('objects:read')
            ? [['Get usage', requestFor('getUsage', { days: 30 })] as const]
            : []),
          ...(can('documents:read')
            ? [['List failed jobs', requestFor('listJobs', { state: 'failed', limit: 5 })] as const]
            : []),
          ...(can('images:read')
            ? [['List the newest images', requestFor('searchImages', { limit: 8 })] as const]
            : []),
        ]}
      />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !data ? (
        <Loading what="the overview" lines={8} />
      ) : (
        <div class="home">
          <FirstSteps data={data} />
          <div class="home-columns">
            <NeedsAttention data={data} />
            <RunningJobs data={data} />
          </div>
          <RecentlyAdded data={data} />
          <UsageFigures data={data} />
        </div>
      )}
    </DropTarget>
  );
}

/** Shows the size of the project, its quota, and its growth. */
function UsageFigures({ data }: { data: HomeData }) {
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
              <QuotaBar used={used} quota={quota} title={title} />
            </Link>
          </li>
        ))}
      </ul>
      <UsageCharts data={data} />
    </section>
  );
}

/** Shows the used share of a quota as a bar, red from 90%. */
function QuotaBar({ used, quota, title }: { used: number; quota: number; title: string }) {
  const percent = Math.min(100, Math.round((100 * used) / Math.max(1, quota)));
  return <Progress percent={percent} label={`${title}: share of the quota`} bad={percent >= 90} />;
}
