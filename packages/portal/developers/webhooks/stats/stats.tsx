import { type FailureClass, failureClasses } from '@scriptorium/contracts/webhook-outcomes';
import type { WebhookStats } from '@scriptorium/contracts/wire/webhook-stats';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useResource } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { Chart } from '../../../kit/chart/chart.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { AnswerView } from '../../../kit/states.tsx';

const periodOptions = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

const failureNames: Record<FailureClass, string> = {
  http_3xx: 'HTTP 3xx',
  http_4xx: 'HTTP 4xx',
  http_5xx: 'HTTP 5xx',
  timeout: 'timeout',
  connection: 'connection',
  tls: 'TLS',
  dns: 'DNS',
  response: 'invalid response',
  destination: 'address not allowed',
  other: 'other',
};

/** The success rate and the response times of a webhook over time. */
export function Stats({ webhook }: { webhook: WebhookRecord }) {
  const [query, setQuery] = useQueryState();
  const [period] = periodOptions.find(([name]) => name === query.get('period')) ?? periodOptions[0];
  const stats = useResource(requestFor('getWebhookStats', { id: webhook.id, period }));
  return (
    <section class="stack" aria-label="Statistics">
      <fieldset class="row dev-fieldset webhook-periods">
        <legend class="visually-hidden">Period</legend>
        {periodOptions.map(([name, label]) => (
          <Button
            key={name}
            small
            pressed={name === period}
            onClick={() => setQuery({ period: name === '24h' ? '' : name })}
          >
            {label}
          </Button>
        ))}
        <Button small quiet busy={stats.loading} onClick={stats.reload}>
          Refresh
        </Button>
      </fieldset>
      <AnswerView of={stats} content="statistics" lines={6}>
        {(data) => <StatsCharts stats={data} />}
      </AnswerView>
    </section>
  );
}

function StatsCharts({ stats: { totals, series, period } }: { stats: WebhookStats }) {
  const labels = series.map(({ since }) => formatTime(since, period));
  const failures = failureClasses.flatMap((name) => {
    const n = totals.failures[name];
    return n ? [`${failureNames[name]} ${formatCount(n)}`] : [];
  });
  return (
    <>
      <dl class="webhook-figures">
        {(
          [
            ['Attempts', formatCount(totals.attempts)],
            [
              'Succeeded',
              totals.attempts === 0 ? '–' : formatRate(totals.succeeded / totals.attempts),
            ],
            ['Failed', [formatCount(totals.failed), ...failures].join(' · ')],
            ['Median response', formatMilliseconds(totals.p50_ms)],
            ['95th percentile', formatMilliseconds(totals.p95_ms)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Chart
        title="Attempts"
        labels={labels}
        bars={[
          { name: 'Succeeded', tone: 'good', values: series.map(({ succeeded }) => succeeded) },
          { name: 'Failed', tone: 'bad', values: series.map(({ failed }) => failed) },
        ]}
        format={formatCount}
      />
      <Chart
        title="Response time"
        labels={labels}
        lines={[
          { name: 'Median', tone: 'accent', values: series.map(({ p50_ms: ms }) => ms) },
          { name: '95th percentile', tone: 'warn', values: series.map(({ p95_ms: ms }) => ms) },
        ]}
        format={(ms) => formatMilliseconds(ms)}
      />
    </>
  );
}

const formatMilliseconds = (ms: number | null) => (ms === null ? '–' : `${Math.round(ms)} ms`);

/** Formats a share, rounded down: 100% means that no attempt failed. */
const formatRate = (share: number) => `${Math.floor(share * 1_000) / 10}%`;

function formatTime(since: string, period: WebhookStats['period']): string {
  return new Intl.DateTimeFormat(undefined, {
    ...(period === '24h' ? { weekday: 'short' } : { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(since));
}
