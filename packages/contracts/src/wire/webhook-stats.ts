import { type Static, Type } from 'typebox';
import { failureClasses } from '../webhook-outcomes.ts';
import { Id, Nullable, Time } from './common.ts';

const strictOptions = { additionalProperties: false };

/** The periods of statistics, and the minutes that each point covers. */
export const statsPeriods = {
  '24h': { stepMinutes: 15, points: 96 },
  '7d': { stepMinutes: 60, points: 168 },
  '30d': { stepMinutes: 360, points: 120 },
} as const;
export type StatsPeriod = keyof typeof statsPeriods;

/** The names of all periods. */
export const statsPeriodNames = ['24h', '7d', '30d'] as const satisfies readonly StatsPeriod[];

const count = Type.Integer({ minimum: 0 });
const latency = (subject: string) =>
  Nullable(
    Type.Number({ minimum: 0, description: `${subject} Null if no attempt received a response.` }),
  );

const counts = {
  attempts: count,
  succeeded: count,
  failed: count,
  failures: Type.Partial(
    Type.Object(Object.fromEntries(failureClasses.map((name) => [name, count])), strictOptions),
    {
      description:
        'Failed attempts by class: the class of the status, or the reason why there was no response. Classes without failures are absent.',
    },
  ),
  p50_ms: latency('The median response time, estimated from a histogram.'),
  p95_ms: latency('The 95th percentile of response times, estimated from a histogram.'),
  mean_ms: latency('The mean response time.'),
};

const WebhookStatsPoint = Type.Object(
  { since: Time, ...counts },
  { ...strictOptions, title: 'WebhookStatsPoint' },
);

export const WebhookStats = Type.Object(
  {
    webhook_id: Id('webhook'),
    period: Type.Enum([...statsPeriodNames]),
    since: Time,
    until: Time,
    step_seconds: Type.Integer({ minimum: 1, description: 'The time that each point covers.' }),
    totals: Type.Object(counts, { ...strictOptions, title: 'WebhookStatsTotals' }),
    series: Type.Array(WebhookStatsPoint, {
      description: 'A point for each step, oldest first, also where nothing was sent.',
    }),
  },
  { ...strictOptions, title: 'WebhookStats' },
);
export type WebhookStats = Static<typeof WebhookStats>;
