import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { Chart } from '../kit/chart/chart.tsx';
import { formatCount } from '../kit/format-count.ts';
import type { HomeData } from './use-home.ts';

/** Returns a day in UTC as text. */
const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** Storage and requests on each of the last days. */
export function UsageCharts({ data: { usage } }: { data: HomeData }) {
  const days = usage?.days;
  if (!days) return null;
  const labels = days.map(({ day }) => formatDay(day));
  return (
    <div class="home-columns">
      <div class="card">
        <Chart
          title="Storage, last 30 days"
          labels={labels}
          bars={[
            {
              name: 'Stored',
              tone: 'accent',
              values: days.map(({ storage_bytes: bytes }) => bytes),
            },
          ]}
          format={formatBytes}
        />
      </div>
      <div class="card">
        <Chart
          title="Requests, last 30 days"
          labels={labels}
          bars={[
            {
              name: 'Succeeded',
              tone: 'good',
              values: days.map(({ requests }) => requests.succeeded),
            },
            { name: 'Failed', tone: 'bad', values: days.map(({ requests }) => requests.failed) },
          ]}
          format={formatCount}
        />
      </div>
    </div>
  );
}
